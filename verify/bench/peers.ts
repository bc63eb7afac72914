import { execFileSync } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const directory = fileURLToPath(new URL('./peers/', import.meta.url))

/** The peers that Kron is measured beside, with the types that the benchmarks need. */
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
  readonly CronosExpression: {
    parse(text: string, options: { timezone: string }): { nextDate(from: Date): Date | null }
  }
  readonly DateTime: {
    fromMillis(ms: number, options: { zone: string }): { readonly hour: number; readonly minute: number }
  }
  readonly TimerBasedCronScheduler: unknown
  readonly nodeCron: unknown
  readonly nodeSchedule: unknown
}

/** As npm left it: what is locked and what is there differ after a change of the peers. */
function isInstalled(): boolean {
  const installed = `${directory}node_modules/.package-lock.json`
  return (
    existsSync(installed) && statSync(installed).mtimeMs >= statSync(`${directory}package-lock.json`).mtimeMs
  )
}

/** Loads the peers, installing their locked versions the first time. */
export async function loadPeers(): Promise<Peers> {
  if (!isInstalled()) {
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
