import { visibleJson, visibleScreen } from '@kron/cli'
import { SystemError } from '@kron/core'
import { askDaemon, controlSocketOf } from '@kron/host'
import type { ReloadResult } from '@kron/host/api'
import type { Settings } from '../config/options.ts'
import { daemonPid, requireDaemon, signalDaemon } from '../control/find-daemon.ts'
import type { Status } from '../control/status.ts'
import { readOptions } from './start.ts'

const pause = (ms: number): Promise<void> => new Promise(resolve => setTimeout(resolve, ms))

/** A reload may have to read a hundred thousand job lines. */
const RELOAD_PATIENCE_MS = 120_000

export async function status(flags: Settings): Promise<number> {
  const answer = await asked<Status>(flags, 'status')
  process.stdout.write(
    flags['format'] === 'json'
      ? `${visibleJson(JSON.stringify(answer))}\n`
      : visibleScreen(printStatus(answer)),
  )
  return 0
}

/** Waits for the result: exit code 1 if the old configuration stays, or a job file was left out because of mistakes. */
export async function reload(flags: Settings): Promise<number> {
  const result = await asked<ReloadResult>(flags, 'reload', RELOAD_PATIENCE_MS)
  if (result.kind === 'refused') {
    process.stderr.write(visibleScreen(result.mistakes.map(each => `error: ${each}\n`).join('')))
    process.stderr.write('krond: not reloaded: the old configuration stays\n')
    return 1
  }
  const { added, changed, removed, unchanged } = result.changes
  const files = result.refusedFiles.map(each => `left out because of mistakes: ${each}\n`).join('')
  process.stdout.write(
    visibleScreen(`${added} added, ${changed} changed, ${removed} removed, ${unchanged} unchanged\n${files}`),
  )
  // Users cannot make a reload of the administrator fail with a crontab or job file of their own.
  return result.refusedJobFiles.length > 0 ? 1 : 0
}

async function asked<T>(flags: Settings, request: 'status' | 'reload', patienceMs?: number): Promise<T> {
  const { stateDir, runtimePlaces } = readOptions(flags)
  const answer = await askDaemon<T>(runtimePlaces.map(controlSocketOf), { request }, patienceMs)
  if (answer === undefined || answer === 'silent') throw noAnswer(requireDaemon(stateDir), answer)
  if ('ok' in answer) return answer.ok
  throw new SystemError(answer.error, {
    component: 'daemon',
    operation: request,
    ...(answer.hint === undefined ? {} : { hint: answer.hint }),
  })
}

function noAnswer(pid: number, answer: 'silent' | undefined): SystemError {
  const context = { component: 'daemon', operation: 'status' }
  return answer === undefined
    ? new SystemError(`krond ${pid} does not answer yet: it is starting, or about to end`, {
        ...context,
        hint: 'try again in a moment; its log tells how far it is, or why it offers none',
      })
    : new SystemError(`krond ${pid} does not answer`, {
        ...context,
        hint: `it is very busy, or stopped: ps -o stat= -p ${pid} (T: kill -CONT ${pid} lets it go on)`,
      })
}

export async function stop(flags: Settings): Promise<number> {
  const { stateDir } = readOptions(flags)
  const pid = requireDaemon(stateDir)
  signalDaemon(pid, 'SIGTERM', stateDir)
  let told = false
  for (let waited = 0; daemonPid(stateDir) === pid; waited += 100) {
    if (waited >= 2_000 && !told) {
      told = true
      process.stderr.write(`krond ${pid} is still stopping; Ctrl-C ends only this command, not the stop\n`)
    }
    await pause(100)
  }
  process.stdout.write(`krond ${pid} has stopped\n`)
  return 0
}

function reloadLines({ refusedReload }: Status): readonly string[] {
  if (refusedReload === undefined) return []
  const { at, mistakes } = refusedReload
  return [
    `reload   refused at ${at}: ${mistakes} ${mistakes === 1 ? 'mistake' : 'mistakes'}; the old configuration stays`,
  ]
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
    ...(status.clockJump === undefined
      ? []
      : [
          `clock    was set ${status.clockJump.byMs < 0 ? 'back' : 'forward'} by ${Math.abs(status.clockJump.byMs) / 1_000} s, noticed at ${status.clockJump.at}`,
        ]),
    ...(status.clockWasAhead === undefined
      ? []
      : [
          `clock    had been ahead until ${status.clockWasAhead.at}; periods of ${status.clockWasAhead.jobs} jobs that it passed over were opened again`,
        ]),
    ...(status.startsStopped == null ? [] : [`stopped  no job starts: ${status.startsStopped}`]),
    ...listenerLines(status),
    ...reloadLines(status),
    ...status.refusedFiles.map(each => `left out because of mistakes: ${each}`),
  ]
  return `${lines.join('\n')}\n`
}

function listenerLines({ listener }: Status): readonly string[] {
  // A daemon of an earlier version does not report this.
  if (listener == null) return []
  const { address, listening, problem } = listener
  return [`console  ${address}${listening ? '' : ` (not there yet, krond tries again: ${problem})`}`]
}
