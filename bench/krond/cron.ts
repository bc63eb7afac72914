import { type ChildProcess, spawn, spawnSync } from 'node:child_process'

const isRoot = process.getuid?.() === 0

/** Debian's cron in the foreground, with a crontab of root's that is removed afterwards. */
export class Cron {
  private child: ChildProcess | undefined

  /** Why it cannot be run here; undefined if it can. */
  static objection(): string | undefined {
    if (!isRoot) return 'running cron needs root'
    if (spawnSync('which', ['cron']).status !== 0) return 'cron is not installed'
    if (spawnSync('crontab', ['-l']).status === 0) return 'root has a crontab already'
    if (spawnSync('pidof', ['cron']).status === 0) return 'cron is running already'
    return undefined
  }

  start(lines: readonly string[]): void {
    spawnSync('crontab', ['-'], { input: `${lines.join('\n')}\n` })
    this.child = spawn('cron', ['-f'], { stdio: 'ignore' })
  }

  async stop(): Promise<void> {
    const gone = new Promise(resolve => this.child!.on('exit', resolve))
    this.child!.kill('SIGTERM')
    await gone
    spawnSync('crontab', ['-r'])
  }
}
