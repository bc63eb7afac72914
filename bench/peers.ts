import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const directory = fileURLToPath(new URL('./peers/', import.meta.url))

/** What Kron is measured beside, with as much of their types as the benchmarks need. */
export interface Peers {
  readonly Cron: new (
    pattern: string,
    options: { timezone?: string; paused?: boolean },
    run?: () => void,
  ) => { nextRun(from: Date): Date | null; stop(): void; resume(): boolean }
  readonly CronExpressionParser: {
    parse(
      text: string,
      options: { tz?: string; currentDate?: Date },
    ): { next(): { getTime(): number }; reset(from: Date): void }
  }
  readonly parseCronExpression: (text: string) => { getNextDate(from: Date): Date }
  readonly TimerBasedCronScheduler: unknown
  readonly nodeCron: unknown
  readonly nodeSchedule: unknown
}

/** Loads the peers, installing their locked versions the first time. */
export async function loadPeers(): Promise<Peers> {
  if (!existsSync(`${directory}node_modules`)) {
    console.log('installing the peers (once) ...')
    const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm'
    const shell = process.platform === 'win32'
    execFileSync(npm, ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
      cwd: directory,
      stdio: 'inherit',
      shell,
    })
  }
  // Not a literal: the types of what is installed on demand are not there when ours are checked.
  const entry: string = new URL('./peers/index.js', import.meta.url).href
  return import(entry)
}
