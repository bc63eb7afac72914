import { SystemError } from '@kron/core'
import { controlSocketOf } from '@kron/host'
import { askStatus } from '../control.ts'
import { daemonPid, requireDaemon, signalDaemon } from '../find-daemon.ts'
import type { Settings } from '../options.ts'
import type { Status } from '../status.ts'
import { readOptions } from './start.ts'

const pause = (ms: number): Promise<void> => new Promise(resolve => setTimeout(resolve, ms))

export async function status(flags: Settings): Promise<number> {
  const { stateDir, runtimePlaces } = readOptions(flags)
  const answer = await askStatus(runtimePlaces.map(controlSocketOf))
  if (answer === undefined || answer === 'silent') throw noAnswer(requireDaemon(stateDir), answer)
  process.stdout.write(flags['format'] === 'json' ? `${JSON.stringify(answer)}\n` : printStatus(answer))
  return 0
}

function noAnswer(pid: number, answer: 'silent' | undefined): SystemError {
  const context = { component: 'daemon', operation: 'status' }
  return answer === undefined
    ? new SystemError(`krond ${pid} tells no status yet: it is starting, or about to end`, {
        ...context,
        hint: 'try again in a moment; its log tells how far it is, or why it offers none',
      })
    : new SystemError(`krond ${pid} does not answer`, {
        ...context,
        hint: `it is very busy, or stopped: ps -o stat= -p ${pid} (T: kill -CONT ${pid} lets it go on)`,
      })
}

export function reload(flags: Settings): number {
  const { stateDir } = readOptions(flags)
  const pid = requireDaemon(stateDir)
  signalDaemon(pid, 'SIGHUP', stateDir)
  process.stdout.write(`krond ${pid} reloads its job files; its log tells the result\n`)
  return 0
}

export async function stop(flags: Settings): Promise<number> {
  const { stateDir } = readOptions(flags)
  const pid = requireDaemon(stateDir)
  signalDaemon(pid, 'SIGTERM', stateDir)
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
