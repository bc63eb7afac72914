import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A daemon that krond is measured beside. */
export interface PeerDaemon {
  readonly name: string
  start(lines: readonly string[]): void
  stop(): Promise<void>
}

const has = (program: string): boolean => spawnSync('which', [program]).status === 0

/** Installs a package of the distribution if its program is missing and that is possible. */
function provide(program: string): boolean {
  if (!has(program) && has('apt-get')) spawnSync('apt-get', ['install', '-y', '-qq', program])
  return has(program)
}

/** The peers that can run here; why one cannot is printed. */
export function peerDaemons(): readonly (() => PeerDaemon)[] {
  const peers: (() => PeerDaemon)[] = []
  const objections = {
    cron: cronObjection(),
    busybox: busyboxObjection(),
  }
  if (objections.cron === undefined) peers.push(() => new Cron())
  if (objections.busybox === undefined) peers.push(() => new BusyboxCrond())
  for (const [name, objection] of Object.entries(objections))
    if (objection !== undefined) console.log(`${name} is not measured: ${objection}`)
  return peers
}

const isRoot = process.getuid?.() === 0

function cronObjection(): string | undefined {
  if (!isRoot) return 'running cron needs root'
  if (!provide('cron')) return 'cron is not installed'
  if (spawnSync('crontab', ['-l']).status === 0) return 'root has a crontab already'
  if (spawnSync('pidof', ['cron']).status === 0) return 'cron is running already'
  return undefined
}

function busyboxObjection(): string | undefined {
  if (!isRoot || !provide('busybox')) return 'it needs root and busybox'
  const { stdout } = spawnSync('busybox', ['--list'], { encoding: 'utf8' })
  return stdout.split('\n').includes('crond') ? undefined : 'this busybox was built without crond'
}

/** Debian's cron in the foreground, with a crontab of root's that is removed afterwards. */
class Cron implements PeerDaemon {
  readonly name = 'cron'
  private child: ChildProcess | undefined

  start(lines: readonly string[]): void {
    spawnSync('crontab', ['-'], { input: `${lines.join('\n')}\n` })
    this.child = spawn('cron', ['-f'], { stdio: 'ignore' })
  }

  async stop(): Promise<void> {
    await end(this.child!)
    spawnSync('crontab', ['-r'])
  }
}

class BusyboxCrond implements PeerDaemon {
  readonly name = 'busybox crond'
  private readonly directory = mkdtempSync(join(tmpdir(), 'kron-busybox-'))
  private child: ChildProcess | undefined

  start(lines: readonly string[]): void {
    mkdirSync(join(this.directory, 'crontabs'))
    writeFileSync(join(this.directory, 'crontabs', 'root'), `${lines.join('\n')}\n`)
    this.child = spawn('busybox', ['crond', '-f', '-c', join(this.directory, 'crontabs')], {
      stdio: 'ignore',
    })
  }

  async stop(): Promise<void> {
    await end(this.child!)
    rmSync(this.directory, { recursive: true })
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null)
    throw new Error(`${child.spawnfile} has ended by itself: exit ${child.exitCode}`)
  const gone = new Promise(resolve => child.on('exit', resolve))
  child.kill('SIGTERM')
  await gone
}
