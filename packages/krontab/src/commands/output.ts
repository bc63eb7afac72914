import { setTimeout as pause } from 'node:timers/promises'
import { bytesText, type Given } from '@kron/cli'
import { parseInstant } from '@kron/core'
import { nameOf } from '@kron/host'
import type { OutputPart } from '@kron/host/api'
import type { CommandContext } from '../context/command-context.ts'
import { printJson } from '../context/print.ts'
import { NOT_FOUND, OK, Refusal } from '../context/refusal.ts'
import type { Run } from '../context/run.ts'
import { type JobHistory, jobHistoryOf } from '../daemon/job-history.ts'
import type { OUTPUT } from '../program/history-commands.ts'

type OutputOptions = Given<typeof OUTPUT.options>

const LOOK_EVERY_MS = 300

export const run: Run<typeof OUTPUT> = async (context, options, [job = '']) => {
  const history = await jobHistoryOf(context, options, job)
  const runId = chosenRun(history, options)
  if (options.format === 'json') {
    printJson(context, await history.output(runId, 0))
    return OK
  }
  let seen = 0
  for (;;) {
    const { parts, totalBytes, nextAfter, running } = await history.output(runId, seen)
    show(context, parts, options['stderr-only'])
    seen = nextAfter
    if (seen < totalBytes) continue
    if (!running || !options.follow) break
    await pause(LOOK_EVERY_MS)
  }
  if (seen === 0) context.err(`krontab: ${nameOf(history.identity)} printed nothing, or nothing was kept\n`)
  return OK
}

function show(context: CommandContext, parts: readonly OutputPart[], stderrOnly: boolean): void {
  for (const part of parts) {
    if (part.stream === 'gap') context.err(`krontab: ${bytesText(part.bytes)} were not kept here\n`)
    else if (part.stream === 'err' || !stderrOnly) context.data(part.text)
  }
}

/** The requested run; else the running one; else the latest. */
function chosenRun(
  { identity, running, outcomes }: JobHistory,
  { period, last, run }: OutputOptions,
): string {
  const name = nameOf(identity)
  const ran = outcomes.filter(each => each.runId !== null)
  const runs = [...ran, ...running]
  if (run !== undefined)
    return runs.some(each => each.runId === run) ? run : refuse(`${name} has no run ${run}`)
  if (period !== undefined) {
    const wanted = parseInstant(period)
    const found = runs.findLast(({ periodId }) => {
      const instant = parseInstant(periodId ?? '')
      return instant.ok && wanted.ok && instant.value === wanted.value
    })
    return found?.runId ?? refuse(`${name} has no run of the period ${period}`)
  }
  if (last === 'failed') {
    const failed = ran.findLast(each => each.kind === 'failed' || each.kind === 'timed_out')?.runId
    return failed ?? refuse(`no failed run of ${name} is known`)
  }
  return runs.at(-1)?.runId ?? refuse(`${name} has not run yet, or its runs are forgotten`)
}

function refuse(message: string): never {
  throw new Refusal(NOT_FOUND, message, 'krontab history shows its runs')
}
