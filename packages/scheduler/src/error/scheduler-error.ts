/** Base of every error of the scheduler: `details` says in data what the message says in words. */
export abstract class SchedulerError<Details = unknown> extends Error {
  readonly details: Details

  constructor(message: string, details: Details, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.details = details
  }

  // A getter, so that the stack's first line has it and no bundler can rename it.
  abstract override get name(): string
}

/** The details with their cause, which is not listed among them: the seed names it, but not as one of the fields. */
export function withCause<Details extends object>(
  details: Details,
  cause: unknown,
): Details & { readonly cause?: unknown } {
  return cause === undefined ? details : Object.defineProperty({ ...details }, 'cause', { value: cause })
}

/** Details of an error that has none. */
export type NoDetails = undefined

/** What an error says, and what it says to do. */
export function messageOf(error: unknown): string {
  // By its shape: an error of another realm, such as a test runner's sandbox, is no `Error` here.
  const { message, hint } = (error ?? {}) as { message?: unknown; hint?: unknown }
  if (typeof message !== 'string') return String(error)
  return typeof hint === 'string' ? `${message}; ${hint}` : message
}
