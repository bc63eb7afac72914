import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'

/** The machine has no network, so the one dependency that a minimal root lacks is put beside it. */
const FETCH =
  'mkdir -p "$1/kron-debs" && cd "$1/kron-debs" && apt-get -c "$MMDEBSTRAP_APT_CONFIG" download libatomic1'

/** Debian's release, and the packages that its root has besides the essential ones. There is no Node among them. */
export function makeRoot(release: string, archive: string): void {
  if (existsSync(archive)) return
  execFileSync(
    'mmdebstrap',
    [
      '--variant=minbase',
      '--include=systemd,systemd-sysv,dbus,cron',
      `--customize-hook=${FETCH}`,
      release,
      `${archive}.new.tar`,
    ],
    { stdio: ['ignore', 'inherit', 'inherit'], env: { ...process.env, TAR_OPTIONS: '' } },
  )
  renameSync(`${archive}.new.tar`, archive)
}

/** The whole machine: its own /dev, so that nothing it does to device files reaches the host. */
const INSIDE = `
set -e
mount --make-rprivate /
mount --bind "$1" "$1"
cd "$1"
mount -t proc proc proc
mount -t sysfs -o ro sysfs sys
mount -t cgroup2 none sys/fs/cgroup
mount -t tmpfs -o mode=755 none dev
mknod -m 666 dev/null c 1 3
mknod -m 666 dev/zero c 1 5
mknod -m 666 dev/full c 1 7
mknod -m 666 dev/random c 1 8
mknod -m 666 dev/urandom c 1 9
mknod -m 666 dev/tty c 5 0
mknod -m 600 dev/console c 1 3
mkdir dev/pts dev/shm
mount -t devpts -o newinstance,ptmxmode=0666 devpts dev/pts
ln -s pts/ptmx dev/ptmx
ln -s /proc/self/fd dev/fd
mount -t tmpfs -o mode=755 none run
mount -t tmpfs -o mode=1777 none tmp
mkdir -p run/host
# Every boot has an id of its own.
cat proc/sys/kernel/random/uuid > run/boot-id
mount --bind run/boot-id proc/sys/kernel/random/boot_id
pivot_root . run/host
cd /
umount -l /run/host
exec env -i container=kron PATH=/usr/sbin:/usr/bin:/sbin:/bin TERM=dumb /lib/systemd/systemd --log-target=null
`

export interface Ran {
  readonly code: number | null
  readonly out: string
}

/** A Debian with systemd as PID 1 of namespaces of its own. */
export class Machine {
  readonly root: string
  readonly #cgroup: string
  #child: ChildProcess | undefined
  #init = 0

  constructor(root: string) {
    this.root = root
    const base = existsSync('/sys/fs/cgroup/unified') ? '/sys/fs/cgroup/unified' : '/sys/fs/cgroup'
    this.#cgroup = join(base, `kron-systemd-${process.pid}`)
  }

  async boot(): Promise<void> {
    mkdirSync(this.#cgroup, { recursive: true })
    const enter = `echo $$ > ${this.#cgroup}/cgroup.procs; exec unshare --cgroup --pid --mount --uts --ipc --net --fork --kill-child sh -c "$0" sh "$1"`
    this.#child = spawn('sh', ['-c', enter, INSIDE, this.root], { stdio: ['ignore', 'inherit', 'inherit'] })
    const outer = this.#child.pid!
    await until('systemd is PID 1', () => {
      const children = readFileSync(`/proc/${outer}/task/${outer}/children`, 'utf8').trim()
      this.#init = Number(children.split(' ')[0])
      return this.#init > 0 && readFileSync(`/proc/${this.#init}/comm`, 'utf8').trim() === 'systemd'
    })
    await until('the machine is up', () =>
      /^(running|degraded)/.test(this.run('systemctl is-system-running').out),
    )
  }

  /** Runs a shell command inside. */
  run(command: string): Ran {
    const { status, stdout, stderr } = spawnSync(
      'nsenter',
      ['-t', String(this.#init), '-a', '-r', '-w', '/bin/sh', '-c', command],
      { encoding: 'utf8', env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', DEBIAN_FRONTEND: 'noninteractive' } },
    )
    return { code: status, out: `${stdout}${stderr}` }
  }

  /** The output of a command that must succeed. */
  must(command: string): string {
    const { code, out } = this.run(command)
    if (code !== 0) throw new Error(`${command}: exit ${code}\n${out}`)
    return out.trim()
  }

  write(path: string, text: string): void {
    writeFileSync(join(this.root, path), text)
  }

  /** Ends every process at once, as when the power fails. */
  async powerOff(): Promise<void> {
    if (this.#child === undefined) return
    const ended = new Promise(resolve => this.#child!.once('exit', resolve))
    process.kill(this.#init, 'SIGKILL')
    await ended
    this.#child = undefined
    await until('the cgroup is empty', () => removeTree(this.#cgroup))
  }
}

function removeTree(path: string): boolean {
  try {
    for (const entry of readdirSync(path, { withFileTypes: true }))
      if (entry.isDirectory()) removeTree(join(path, entry.name))
    rmdirSync(path)
    return true
  } catch {
    return !existsSync(path)
  }
}

export async function until(what: string, holds: () => boolean, seconds = 120): Promise<void> {
  const end = Date.now() + seconds * 1_000
  for (;;) {
    try {
      if (holds()) return
    } catch {
      // Not yet.
    }
    if (Date.now() > end) throw new Error(`never happened: ${what}`)
    await new Promise(resolve => setTimeout(resolve, 250))
  }
}
