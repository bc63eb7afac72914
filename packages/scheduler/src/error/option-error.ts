import { inspect } from 'node:util'
import { SchedulerError } from './scheduler-error.ts'

export interface OptionDetails {
  /** The name of the called function. */
  readonly of: string
  /** The name of the wrong option or argument. */
  readonly option: string
  readonly value: unknown
  readonly reason: string
}

/** A function was called with an invalid argument. */
export class OptionError extends SchedulerError<OptionDetails> {
  override get name() {
    return 'OptionError'
  }

  constructor(of: string, option: string, value: unknown, reason: string) {
    const got = inspect(value, { depth: 0, breakLength: Number.POSITIVE_INFINITY, maxStringLength: 60 })
    super(`${of}: ${option} ${reason}, got ${got}`, { of, option, value, reason })
  }
}
