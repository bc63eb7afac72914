import { type Decision, OUTCOME_STYLES, outcomeKindOf } from '@kron/core'
import type { Ending, Execution } from '../driver/execution.ts'
import { beginningOf, makeEvent, periodOf, runOf } from './make-event.ts'

export const started = (execution: Execution, latenessMs: number) =>
  makeEvent('info', 'execution', 'started', {
    ...beginningOf(execution),
    latenessMs,
  })

export const finished = (
  execution: Execution,
  ending: Ending,
  durationMs: number,
  reason: string | undefined,
) =>
  makeEvent(needsAttention(ending, reason) ? 'warn' : 'info', 'execution', 'finished', {
    ...beginningOf(execution),
    exitCode: ending.exitCode,
    ...(ending.signal === null ? {} : { signal: ending.signal }),
    ...(reason === undefined ? {} : { reason }),
    durationMs,
    ...ending.usage,
  })

/** Output did not reach its place: no /dev/log, a full disk, or a log that nobody reads. */
export function outputLost(execution: Execution, bytes: number) {
  const { stdout, stderr } = execution.entry.settings
  return makeEvent('warn', 'execution', 'output_lost', {
    ...runOf(execution),
    bytes,
    message: `output did not reach ${stdout.kind} or ${stderr.kind}; krontab output shows the part that was kept`,
  })
}

/** A run that a later period replaced is not a failure. */
function needsAttention({ exitCode, signal }: Ending, reason = ''): boolean {
  const { tone } = OUTCOME_STYLES[outcomeKindOf({ outcome: 'executed', reason, exitCode, signal })]
  return tone === 'bad' || tone === 'warning'
}

export const timedOut = (execution: Execution) =>
  makeEvent('warn', 'execution', 'timed_out', runOf(execution))

export const replaced = (execution: Execution) => makeEvent('info', 'execution', 'replaced', runOf(execution))

/** The claim of a period existed already, although the state did not say so. */
export const claimedBefore = (decision: Decision, run: string) =>
  makeEvent('warn', 'execution', 'claimed_before', { ...periodOf(decision), run })

export const adopted = (execution: Execution) =>
  makeEvent('info', 'execution', 'adopted', beginningOf(execution))

/** A line that a job printed. */
export const output = (identity: string, executionId: string, stream: 'out' | 'err', text: string) =>
  makeEvent('info', 'execution', 'output', { identity, executionId, stream, text })

export const outputDropped = (identity: string, executionId: string, droppedBytes: number) =>
  makeEvent('warn', 'execution', 'output', {
    identity,
    executionId,
    droppedBytes,
    message: 'the job printed faster than the log took it; the kept copy has its beginning and its end',
  })
