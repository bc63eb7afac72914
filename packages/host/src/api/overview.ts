import type { OutcomeKind } from '@kron/core'
import type { PauseRecord } from './act.ts'
import type { RefusedReload } from './daemon.ts'
import type { OutcomeRecord, RunningRecord } from './run.ts'

/** A job whose latest outcomes are troubles: everything since its last success. */
export interface ProblemRecord {
  readonly identity: string
  readonly name: string
  /** The worst of them: failed, timed_out, unknown, missed, unschedulable. */
  readonly kind: OutcomeKind
  readonly count: number
  /** When the first trouble of this series ended. */
  readonly since: string
  readonly last: OutcomeRecord
}

/** A start of the next hour. */
export interface AgendaRecord {
  readonly identity: string
  readonly name: string
  readonly timezone: string
  readonly periodId: string
  readonly windowStart: string
  readonly windowEnd: string
  /** Null if no second of the window satisfies the constraints. */
  readonly chosenTime: string | null
  /** The pause during which this period will not run; null if it will run. */
  readonly pausedBy: PauseRecord | null
}

/** `GET /api/v1/overview`: is anything wrong, what runs now, what runs next. */
export interface OverviewRecord {
  readonly host: string
  readonly now: string
  readonly startedAt: string
  readonly refusedReload: RefusedReload | null
  readonly refusedFiles: readonly string[]
  readonly startsStopped: boolean
  /** Pauses in force now or planned. */
  readonly pauses: readonly PauseRecord[]
  /** Worst first, at most 100; `problemCount` counts all. */
  readonly problems: readonly ProblemRecord[]
  readonly problemCount: number
  /** Oldest first, at most 100; `runningCount` counts all. */
  readonly running: readonly RunningRecord[]
  readonly runningCount: number
  /** The starts of the next hour, soonest first, at most 100. */
  readonly agenda: readonly AgendaRecord[]
  readonly lastDay: DayRecord
}

/** The executions that ended in the last 24 hours, as far as krond remembers them. */
export interface DayRecord {
  readonly executions: number
  readonly succeeded: number
  readonly failed: number
  /** succeeded / (succeeded + failed); null without either. */
  readonly successRate: number | null
  /** Start minus chosen time, in whole seconds; null without a start. */
  readonly medianLatenessSeconds: number | null
  readonly largestLatenessSeconds: number | null
  readonly missed: number
}
