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
  /** The PID of the command; 0 if it is not known. */
  readonly pid: number
  /** The kernel's start time of that process: PID and start time together identify it for ever. */
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
  /** Null if a signal ended it, or its end was not observed. */
  readonly exitCode: number | null
  readonly signal: string | null
  /** Why it was ended; absent if the command ended by itself. */
  readonly reason?: EndingReason
  /** Epoch milliseconds; absent if the time is unknown and only the process is known to be gone. */
  readonly endedAt?: number
  /** Measured by a clock that nobody can set; absent if the shim did not measure the run. */
  readonly durationMs?: number
  readonly usage?: RunUsage
  /** Bytes of output that did not reach the file, syslog or the log; absent: none. */
  readonly undeliveredBytes?: number
}

export type EndingReason = 'timeout' | 'replaced' | 'shutdown' | 'requested' | 'unrecorded' | 'unknown'

/** How long a run took. Without a measurement, the wall clock tells; if that was set back meanwhile, 0. */
export const durationOf = ({ startedAt }: Execution, { durationMs }: Ending, endedAt: number): number =>
  durationMs ?? Math.max(0, endedAt - startedAt)

/** The end of the run was not observed. */
export const UNSEEN: Ending = { exitCode: null, signal: null, reason: 'unknown' }
