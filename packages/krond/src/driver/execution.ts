import type { Entry, RunUsage } from '@kron/host'

/** One run of a job's command, for a period or for a person. */
export interface Execution {
  readonly id: string
  readonly slot: number
  readonly entry: Entry
  /** Empty for a manual run. */
  readonly periodId: string
  /** The user who asked for a manual run; absent for a period. */
  readonly user?: string
  readonly chosenTime: string
  readonly seedHash: string
  /** The command's; 0 if it is not known. */
  readonly pid: number
  /** The kernel's start time of that process: together they name it for good. */
  readonly processStart: number
  /** The parent of the command; 0 without one. */
  readonly shimPid: number
  /** Epoch milliseconds. */
  readonly startedAt: number
  /** Started by an earlier daemon. */
  readonly adopted: boolean
}

/** How an execution ended. */
export interface Ending {
  /** Null if a signal ended it, or nobody saw the end. */
  readonly exitCode: number | null
  readonly signal: string | null
  /** Why it was ended; absent if the command ended by itself. */
  readonly reason?: EndingReason
  /** Epoch milliseconds; absent if it is only known that the process is gone. */
  readonly endedAt?: number
  readonly usage?: RunUsage
}

export type EndingReason = 'timeout' | 'replaced' | 'shutdown' | 'requested' | 'unrecorded' | 'unknown'

/** Nobody saw the end. */
export const UNSEEN: Ending = { exitCode: null, signal: null, reason: 'unknown' }
