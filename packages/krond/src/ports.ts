import type { Hash, KronError, StateEvent } from '@kron/core'
import type { Entry } from '@kron/krontab/format'
import type { Clock } from '@kron/runtime'
import type { Emit } from './event.ts'
import type { Ending } from './execution.ts'

/** Where states are kept. A promise that resolves means: durable. */
export interface Store {
  record(identity: string, seq: number, event: StateEvent): Promise<void>
}

/** What is started: an entry, for one period. */
export interface StartRequest {
  readonly entry: Entry
  readonly executionId: string
  readonly nominal: number
  readonly chosen: number
}

export interface StartedProcess {
  readonly pid: number
  /** The kernel's start time, in clock ticks since boot. */
  readonly processStart: number
  /** Epoch milliseconds. */
  readonly startedAt: number
  readonly ended: Promise<Ending>
}

/** A start that certainly created no process; any other failure may have. */
export interface Refusal {
  readonly refused: KronError
}

export interface Processes {
  start(request: StartRequest): Promise<StartedProcess | Refusal>
  /** SIGTERM to the group, the grace, SIGKILL; false if something survived even that. */
  end(pid: number, processStart: number, graceMs: number): Promise<boolean>
  /** Whether this very process still runs: a reused PID has another start time. */
  isAlive(pid: number, processStart: number): boolean
  /** Resolves when a process that is not our child is gone. */
  gone(pid: number, processStart: number): Promise<void>
  /** The running processes of earlier daemons; of each execution the oldest process. */
  survivors(): Promise<readonly Survivor[]>
}

export interface Survivor {
  readonly identity: string
  readonly executionId: string
  readonly periodId: string
  readonly chosenTime: string
  readonly pid: number
  readonly processStart: number
  /** Whether its user may be the job's: anybody can put anything in an environment. Absent: whoever it is. */
  readonly mayBeOf?: (entry: Entry) => boolean
}

/** The boot this daemon lives in; the time is CLOCK_BOOTTIME in milliseconds. */
export interface Boot {
  readonly id: string
  time(): number
}

export interface Ports {
  readonly clock: Clock
  readonly store: Store
  readonly processes: Processes
  readonly boot: Boot
  readonly emit: Emit
  readonly hash: Hash
  readonly newId: () => string
  /** Whether anybody reads events of level debug: the steps of a decision cost more than the decision. */
  readonly debug: boolean
  /** Whether a start could be recorded: with a full disk nothing new may start. Absent: always. */
  readonly mayStart?: () => boolean
  /** A write failed: nothing may be scheduled any more. */
  readonly fatal: (error: KronError) => void
}
