/** The single executable, the installation from npm, supercronic and Debian's cron, ready to be measured. */
import { execFileSync } from 'node:child_process'
import { existsSync, globSync, mkdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildExecutable } from '../../../packaging/executable/build.ts'
import { debianProgram } from '../../../scripts/debian.ts'
import { install, pack } from '../../../scripts/packages.ts'

export interface Contender {
  readonly name: string
  /** Everything that must be on the disk, in bytes; `undefined` for what is only a yardstick. */
  readonly bytes: number | undefined
  /** A command line that is answered at once. */
  readonly answer: readonly string[]
  /** The daemon with one line that does not come soon. */
  readonly daemon: readonly string[] | undefined
}

const SUPERCRONIC = 'github.com/aptible/supercronic@latest'
const LINE = '0 0 1 1 *'

/** Each that can be had here; the reason for one that cannot is printed. */
export async function contenders(work: string): Promise<Contender[]> {
  const [system, own] = [join(work, 'system'), join(work, 'own')]
  writeFileSync(system, `${LINE} root /bin/true\n`, { mode: 0o644 })
  writeFileSync(own, `${LINE} /bin/true\n`, { mode: 0o600 })
  const kron = await buildExecutable(join(work, 'executable'))
  forget(kron)
  const npm = installed(join(work, 'npm'))
  const start = (state: string): string[] => [
    ...['start', '--system-crontab', system, '--state-dir', join(work, state)],
    ...['--pid-file', join(work, `${state}.pid`)],
  ]
  const found: Contender[] = [
    { name: 'node -e 0', bytes: undefined, answer: [process.execPath, '-e', '0'], daemon: undefined },
    {
      name: 'kron, the executable',
      bytes: statSync(kron).size,
      answer: [kron, 'krontab', '--version'],
      daemon: [kron, 'krond', ...start('executable-state')],
    },
    {
      name: 'kron from npm, with Node',
      bytes: sizeOf(npm) + statSync(process.execPath).size,
      answer: [process.execPath, join(npm, '@kron/krontab/bin/krontab.cjs'), '--version'],
      daemon: [process.execPath, join(npm, '@kron/krond/bin/krond.cjs'), ...start('npm-state')],
    },
  ]
  const supercronic = goProgram(join(work, 'go'))
  if (supercronic === undefined) console.log('supercronic is not measured: go cannot build it here')
  else
    found.push({
      name: 'supercronic',
      bytes: statSync(supercronic).size,
      answer: [supercronic, '-version'],
      daemon: [supercronic, own],
    })
  const cron = debianProgram('/usr/sbin/cron', 'cron', 'cron-daemon-common')
  const crontab = debianProgram('/usr/bin/crontab', 'cron', 'cron-daemon-common')
  if (cron === undefined || crontab === undefined)
    console.log("Debian's cron is not measured: apt cannot fetch it")
  else
    found.push({
      name: "Debian's cron",
      bytes: statSync(cron).size + statSync(crontab).size,
      // It prints its usage.
      answer: [cron, '-?'],
      daemon: ['unshare', '--mount', 'sh', '-c', PRIVATELY, 'sh', own, cron],
    })
  return found
}

/** Cron finds its crontabs at fixed places: they are its own in a mount namespace. */
const PRIVATELY = `
set -e
mount -t tmpfs none /var/spool
mkdir -p -m 1730 /var/spool/cron/crontabs
install -m 600 "$1" /var/spool/cron/crontabs/root
mount -t tmpfs none /run
[ ! -d /etc/cron.d ] || mount -t tmpfs none /etc/cron.d
[ ! -e /etc/crontab ] || mount --bind /dev/null /etc/crontab
exec "$2" -f -L 0
`

const PACKAGES = ['core', 'runtime', 'host', 'shim', 'calendar', 'cli', 'console', 'krontab', 'krond']

/** The modules of an empty project with krond and krontab. */
function installed(place: string): string {
  install(pack(PACKAGES, join(place, 'packed')), join(place, 'project'))
  return join(place, 'project/node_modules')
}

/** Drops a new file from memory: of one just written, more is mapped at once than of one that was read from the disk. */
const forget = (path: string): unknown =>
  execFileSync('dd', [`of=${path}`, 'oflag=nocache', 'conv=notrunc,fdatasync', 'count=0', 'status=none'])

const sizeOf = (directory: string): number =>
  globSync('**/*', { cwd: directory })
    .map(file => statSync(join(directory, file)))
    .reduce((sum, file) => sum + (file.isFile() ? file.size : 0), 0)

function goProgram(place: string): string | undefined {
  mkdirSync(place)
  try {
    execFileSync('go', ['install', '-ldflags=-s -w', SUPERCRONIC], {
      // Modules that may be written can be removed again.
      env: { ...process.env, GOPATH: place, GOBIN: join(place, 'bin'), GOFLAGS: '-modcacherw' },
      stdio: 'pipe',
    })
  } catch {
    return undefined
  }
  const program = join(place, 'bin/supercronic')
  return existsSync(program) ? program : undefined
}
