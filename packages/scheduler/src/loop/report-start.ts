import type { StartCause } from '../event.ts'
import type { Report } from '../report.ts'

const LATE = 60_000

/** Reports the start of a run. `lateMs` is the delay that the scheduler itself has caused. */
export function reportStart(
  report: Report,
  at: number,
  taskName: string,
  cause: StartCause,
  lateMs: number,
): void {
  if (report.details) {
    if (cause === 'preemption') report({ type: 'TaskRetryPreempted', at, taskName })
    if (cause === 'retry') report({ type: 'TaskRetryStarted', at, taskName })
    else report({ type: 'TaskRunStarted', at, taskName, cause })
  }
  if (lateMs > LATE) report({ type: 'TaskStartedLate', at, taskName, lateMs })
}
