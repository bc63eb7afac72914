interface At {
  /** Epoch milliseconds by the scheduler's clock. */
  readonly at: number
}

interface OfTask extends At {
  readonly task: string
}

interface OfInitialization extends At {
  /** Tells calls of `initialize` apart. */
  readonly call: number
}

/**
 * What can be seen of a scheduler. A run starts and ends where that became durable. The clock's pulses, a minute
 * that a task's cron matches and the end of a retry delay, are not events: they follow from the rest.
 */
export type TraceEvent =
  | (OfInitialization & { readonly kind: 'InitStart'; readonly registrations: unknown })
  /** The list has been compared with the store, which knows of it: what is new in it comes now, not with the success. */
  | (OfInitialization & { readonly kind: 'Reconciled' })
  | (OfInitialization & { readonly kind: 'InitSuccess' | 'InitFailure' })
  | (At & { readonly kind: 'StopStart' | 'StopEnd' | 'Crash' })
  /** `runNow` was called: until it starts or the process dies, the task is pending. */
  | (OfTask & { readonly kind: 'Requested' })
  | (OfTask & { readonly kind: 'RunStart' })
  | (OfTask & { readonly kind: 'RunSuccess' })
  /** The retry delay counts from the callback's end, which is somewhat before it is durable. */
  | (OfTask & { readonly kind: 'RunFailure'; readonly endedAt: number })
  /** From here on the store fails, or works again: a failing one excuses delay and failed initializations. */
  | (At & { readonly kind: 'StoreDown' | 'StoreUp' })
  /** The clock was set back so far that starts which now lie ahead count as being now. */
  | (At & { readonly kind: 'ClockSetBack' })
  /** The clock was set forward or the machine slept: only from here on can anybody be late. */
  | (At & { readonly kind: 'ClockSetForward' })

/** The options of a scheduler that its obligations follow from. */
export interface TraceRules {
  readonly schedules?: 'posix' | 'kron'
  readonly namespace?: string
  readonly maxConcurrent?: number
}

export interface Trace extends TraceRules {
  /** IANA name of the zone whose wall clock the cron expressions speak of. */
  readonly timeZone: string
  readonly events: readonly TraceEvent[]
  /** By how many milliseconds more than the theory's minute a slow store or machine may delay things. */
  readonly slack?: number
  /** When watching ended; after the last event, time may have gone on. */
  readonly endedAt?: number
}

/**
 * S1–S6 and L1–L3 are the axioms of the theory; `serial`: a task never runs twice at once; `quiet`: nothing starts
 * between a stop or a crash and the next successful initialization; `room`: no more callbacks than `maxConcurrent` at once.
 */
export type Axiom = 'S1' | 'S2' | 'S3' | 'S4' | 'S5' | 'S6' | 'L1' | 'L2' | 'L3' | 'serial' | 'quiet' | 'room'

export interface Violation {
  readonly axiom: Axiom
  /** Index of the event at which it shows; the number of events if at the end of the trace. */
  readonly position: number
  readonly message: string
}
