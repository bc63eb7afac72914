import { lockHolder } from '@kron/runtime'
import { askStatus } from '../control.ts'
import type { Settings } from '../options.ts'
import type { Status } from '../status.ts'
import { readOptions } from './start.ts'

const pause = (ms: number): Promise<void> => new Promise(resolve => setTimeout(resolve, ms))

/** The PID of the daemon that holds the state directory. */
function daemonPid(stateDir: string): number | undefined {
  return lockHolder(`${stateDir}/lock`)?.pid
}

function notRunning(stateDir: string): number {
  process.stderr.write(
    `error: no krond is running on ${stateDir}\n  hint: krond start, or name another with --state-dir\n`,
  )
  return 1
}

export async function status(flags: Settings): Promise<number> {
  const { stateDir } = readOptions(flags)
  const answer = daemonPid(stateDir) === undefined ? undefined : await askStatus(stateDir)
  if (answer === undefined) return notRunning(stateDir)
  process.stdout.write(flags['format'] === 'json' ? `${JSON.stringify(answer)}\n` : printStatus(answer))
  return 0
}

export function reload(flags: Settings): number {
  const { stateDir } = readOptions(flags)
  const pid = daemonPid(stateDir)
  if (pid === undefined) return notRunning(stateDir)
  process.kill(pid, 'SIGHUP')
  process.stdout.write(`krond ${pid} reloads its job files; its log tells the result\n`)
  return 0
}

export async function stop(flags: Settings): Promise<number> {
  const { stateDir } = readOptions(flags)
  const pid = daemonPid(stateDir)
  if (pid === undefined) return notRunning(stateDir)
  process.kill(pid, 'SIGTERM')
  let told = false
  for (let waited = 0; daemonPid(stateDir) === pid; waited += 100) {
    if (waited >= 2_000 && !told) {
      told = true
      process.stderr.write(`krond ${pid} waits for running jobs; interrupt to leave it alone\n`)
    }
    await pause(100)
  }
  process.stdout.write(`krond ${pid} has stopped\n`)
  return 0
}

function printStatus(status: Status): string {
  const lines = [
    `krond ${status.pid}, running since ${status.startedAt}`,
    `jobs     ${status.jobs}${status.suspended > 0 ? ` (${status.suspended} suspended)` : ''}`,
    `running  ${status.running.length}`,
    ...status.running.map(
      each => `  ${each.startedAt}  pid ${each.pid}  ${each.identity}${each.adopted ? '  (adopted)' : ''}`,
    ),
    `queue    ${status.queue.length}`,
    ...status.queue.map(each => `  ${each.periodId}  ${each.identity}`),
    'next',
    ...status.next.map(each => `  ${each.at}  ${each.identity}`),
    ...status.refusedFiles.map(each => `left out because of mistakes: ${each}`),
  ]
  return `${lines.join('\n')}\n`
}
