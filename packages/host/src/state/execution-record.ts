import { historyUsage } from './run-usage.ts'
import type { ActiveState, HistoryEntry } from './state.ts'
import type { StateEvent } from './state-event.ts'

/** An execution whose process is not known to exist. */
export const isIntent = (execution: ActiveState): boolean => execution.StartedAt === ''

/** The record of an execution whose command was started. */
export const begun = <T extends ActiveState>(intent: T, event: StateEvent & { kind: 'started' }): T => ({
  ...intent,
  PID: event.pid,
  ProcessStart: event.processStart,
  StartedAt: event.startedAt,
  ...(event.shimPid === undefined ? {} : { ShimPID: event.shimPid }),
})

/** The part of a record that says how the execution ended. */
export const ending = ({ completedAt, exitCode, reason, signal }: StateEvent & { kind: 'finished' }) => ({
  CompletedAt: completedAt,
  ExitCode: exitCode,
  ...(reason === undefined ? {} : { Reason: reason }),
  ...(signal === undefined ? {} : { Signal: signal }),
})

/** The measurements of the shim; a run without a shim has none. */
export function measured(
  executionId: string,
  { durationMs, usage }: StateEvent & { kind: 'finished' },
): Partial<HistoryEntry> {
  if (usage === undefined) return {}
  return {
    ExecutionID: executionId,
    ...(durationMs === undefined ? {} : { DurationMs: durationMs }),
    ...historyUsage(usage),
  }
}
