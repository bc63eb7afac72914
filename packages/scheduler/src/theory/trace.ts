interface At {
  /** Epoch milliseconds by the scheduler's clock. */
  readonly at: number
}

interface OfTask extends At {
  readonly task: string
}

interface OfInitialization extends At {
  /** The number of the `initialize` call. */
  readonly call: number
}

/**
 * The visible events of a scheduler. A run starts and ends when that becomes durable. Clock ticks (a minute that a
 * task's cron matches, or the end of a retry delay) are not events, because they follow from the rest.
 */
export type TraceEvent =
  | (OfInitialization & { readonly kind: 'InitStart'; readonly registrations: unknown })
  /** The list is merged with the store and saved. New tasks count from here, not from the success. */
  | (OfInitialization & { readonly kind: 'Reconciled' })
  | (OfInitialization & { readonly kind: 'InitSuccess' | 'InitFailure' })
  | (At & { readonly kind: 'StopStart' | 'StopEnd' | 'Crash' })
  /** `runNow` was called. The task is pending until it starts or the process dies. */
  | (OfTask & { readonly kind: 'Requested' })
  | (OfTask & { readonly kind: 'RunStart' })
  | (OfTask & { readonly kind: 'RunSuccess' })
  /** The retry delay counts from the end of the callback, which is shortly before the end is durable. */
  | (OfTask & { readonly kind: 'RunFailure'; readonly endedAt: number })
  /** The store fails from here on, or works again. A failing store excuses delays and failed initializations. */
  | (At & { readonly kind: 'StoreDown' | 'StoreUp' })
  /** The clock was set back so far that starts in the future are moved to now. */
  | (At & { readonly kind: 'ClockSetBack' })
  /**
   * A process has loaded the record of a task, in which the last start, or the first sight, is `storedAt`. This tells
   * whether the process before it stored that the clock was set back. If not, the clock is set back anew for this one.
   */
  | (OfTask & { readonly kind: 'Loaded'; readonly storedAt: number })
  /** The clock was set forward, or the machine slept. Delays count only from here on. */
  | (At & { readonly kind: 'ClockSetForward' })

/** The options of a scheduler that determine its obligations. */
export interface TraceRules {
  readonly schedules?: 'posix' | 'kron'
  readonly namespace?: string
  readonly maxConcurrent?: number
}

export interface Trace extends TraceRules {
  /** The IANA name of the zone of the cron expressions. */
  readonly timeZone: string
  readonly events: readonly TraceEvent[]
  /** The delay, in milliseconds, that a slow store or machine may add to the theory's limit of a minute. */
  readonly slack?: number
  /** The end of the recording. It may be later than the last event. */
  readonly endedAt?: number
}

/**
 * S1–S6 and L1–L3 are the axioms of the theory. `serial`: a task never runs twice at once. `quiet`: nothing starts
 * between a stop or a crash and the next successful initialization. `room`: at most `maxConcurrent` callbacks run at
 * once.
 */
export type Axiom = 'S1' | 'S2' | 'S3' | 'S4' | 'S5' | 'S6' | 'L1' | 'L2' | 'L3' | 'serial' | 'quiet' | 'room'

export interface Violation {
  readonly axiom: Axiom
  /** The index of the violating event. The number of events if the violation is at the end of the trace. */
  readonly position: number
  readonly message: string
}
