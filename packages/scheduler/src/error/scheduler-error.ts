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
  if (!(error instanceof Error)) return String(error)
  const { hint } = error as { hint?: unknown }
  return typeof hint === 'string' ? `${error.message}; ${hint}` : error.message
}
