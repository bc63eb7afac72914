/** A machine as a newcomer has it: a minimal Debian with Node and npm and nothing else, in a directory. */
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

const UID = '4711'
/** Libraries of Node, and certificates for npm. */
const PACKAGES = 'libstdc++6,libatomic1,ca-certificates'

/** Variables that tell how the network of this host is reached. */
const NETWORK = ['NODE_EXTRA_CA_CERTS', 'HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'npm_config_registry']

export interface Typed {
  readonly status: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface TypeOptions {
  /** In the machine; the clone unless it is given. */
  readonly directory?: string
  readonly env?: Readonly<Record<string, string>>
}

export interface Machine {
  /** The directory of the host that the machine sees as `/`. */
  readonly root: string
  /** The clone, as the host sees it. */
  readonly clone: string
  /** Types a line and waits for its end. */
  type(line: string, options?: TypeOptions): Typed
  /** Types a line in a process group of its own. */
  start(line: string, options?: TypeOptions): ChildProcess
  remove(): void
}

const HOME = '/home/new'
const CLONE = `${HOME}/kron`

/** Undefined if this user may not make one: root and mmdebstrap are needed. */
export function cleanMachine(repository: string): Machine | undefined {
  if (process.getuid?.() !== 0 || spawnSync('mmdebstrap', ['--version']).status !== 0) return undefined
  const given = process.env['KRON_CLEAN_ROOT']
  const root = given ?? mkdtempSync(join(tmpdir(), 'kron-clean-root-'))
  if (given === undefined)
    execFileSync('mmdebstrap', ['--quiet', '--variant=minbase', `--include=${PACKAGES}`, codename(), root])
  placeNode(root)
  // The network and the trusted certificates are those of this host.
  for (const file of ['etc/resolv.conf', 'etc/hosts', 'etc/ssl/certs/ca-certificates.crt'])
    if (existsSync(`/${file}`)) cpSync(realpathSync(`/${file}`), join(root, file))
  // The first boot of a real machine writes one.
  writeFileSync(join(root, 'etc/machine-id'), `${'0123456789abcdef'.repeat(2)}\n`)
  const accounts = join(root, 'etc/passwd')
  if (!readFileSync(accounts, 'utf8').includes(`:${UID}:`))
    appendFileSync(accounts, `new:x:${UID}:${UID}::${HOME}:/bin/sh\n`)
  const clone = join(root, CLONE)
  rmSync(join(root, HOME), { recursive: true, force: true })
  mkdirSync(clone, { recursive: true })
  copyClone(repository, clone)
  const downloads = join(root, HOME, '.npm')
  mkdirSync(downloads)
  // A reader has a registry and its certificates; where npm is told about them, the machine is told, too.
  if (existsSync(join(homedir(), '.npmrc'))) cpSync(join(homedir(), '.npmrc'), join(root, HOME, '.npmrc'))
  execFileSync('chown', ['-R', UID, join(root, HOME)])
  mkdirSync(join(root, 'proc'), { recursive: true })
  execFileSync('mount', ['-t', 'proc', 'proc', join(root, 'proc')])
  const argumentsOf = (line: string, { directory = CLONE, env = {} }: TypeOptions): string[] => [
    `--userspec=${UID}:${UID}`,
    root,
    '/usr/bin/env',
    '-i',
    `HOME=${HOME}`,
    'PATH=/usr/local/bin:/usr/bin:/bin',
    'LANG=C.UTF-8',
    ...NETWORK.flatMap(name => (process.env[name] === undefined ? [] : [`${name}=${process.env[name]}`])),
    ...Object.entries(env).map(([name, value]) => `${name}=${value}`),
    '/bin/sh',
    '-c',
    `cd ${directory} && ${line}`,
  ]
  return {
    root,
    clone,
    type: (line, options = {}) => spawnSync('chroot', argumentsOf(line, options), { encoding: 'utf8' }),
    start: (line, options = {}) =>
      spawn('chroot', argumentsOf(line, options), { detached: true, stdio: ['ignore', 'pipe', 'pipe'] }),
    remove: () => {
      execFileSync('umount', ['--lazy', join(root, 'proc')])
      if (given === undefined) rmSync(root, { recursive: true, force: true })
    },
  }
}

/** The release of this host, whose archive keys are there. */
const codename = (): string =>
  /^VERSION_CODENAME=(\S+)$/m.exec(readFileSync('/etc/os-release', 'utf8'))?.[1] ?? 'bookworm'

/** The machine's own Node and npm, which are not those of the repository. */
function placeNode(root: string): void {
  const node = existsSync('/usr/bin/node') ? '/usr/bin/node' : process.execPath
  cpSync(realpathSync(node), join(root, 'usr/bin/node'))
  const npm = dirname(dirname(realpathSync(execFileSync('which', ['npm'], { encoding: 'utf8' }).trim())))
  cpSync(npm, join(root, 'usr/lib/node_modules/npm'), { recursive: true })
  for (const program of ['npm', 'npx'])
    execFileSync('ln', [
      '-sf',
      `../lib/node_modules/npm/bin/${program}-cli.js`,
      join(root, 'usr/bin', program),
    ])
}

/** The files that a clone has, and those that are about to be committed. */
function copyClone(repository: string, clone: string): void {
  const list = ['ls-files', '-z', '--cached', '--others', '--exclude-standard']
  const files = execFileSync('git', list, { cwd: repository, encoding: 'utf8' })
  for (const file of files.split('\0')) {
    if (file === '' || !existsSync(join(repository, file))) continue
    mkdirSync(dirname(join(clone, file)), { recursive: true })
    cpSync(join(repository, file), join(clone, file))
  }
}
