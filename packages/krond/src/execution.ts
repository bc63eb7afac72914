import type { Entry } from '@kron/host'

/** One run of a job's command for one period. */
export interface Execution {
  readonly id: string
  readonly slot: number
  readonly entry: Entry
  readonly periodId: string
  readonly chosenTime: string
  readonly seedHash: string
  /** The leader of its process group; 0 if the process could not be found. */
  readonly pid: number
  /** The kernel's start time of that process: together they name it for good. */
  readonly processStart: number
  /** Epoch milliseconds. */
  readonly startedAt: number
  /** Started by an earlier daemon. */
  readonly adopted: boolean
}

/** How a process ended; both null when nobody saw it. */
export interface Ending {
  readonly exitCode: number | null
  readonly signal: string | null
}

export const UNSEEN: Ending = { exitCode: null, signal: null }
