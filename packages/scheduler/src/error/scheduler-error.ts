/** Base class of all scheduler errors. `details` holds the facts of the message as data. */
export abstract class SchedulerError<Details = unknown> extends Error {
  readonly details: Details

  constructor(message: string, details: Details, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.details = details
  }

  // The name is a getter, so that it appears in the stack's first line and no bundler can rename it.
  abstract override get name(): string
}

/** The details with a non-enumerable `cause`: the specification names it, but not as one of the fields. */
export function withCause<Details extends object>(
  details: Details,
  cause: unknown,
): Details & { readonly cause?: unknown } {
  return cause === undefined ? details : Object.defineProperty({ ...details }, 'cause', { value: cause })
}

/** The type of `details` for an error without details. */
export type NoDetails = undefined

/** The message of an error, followed by its hint if it has one. */
export function messageOf(error: unknown): string {
  // `instanceof` would miss errors of another realm, such as a test runner's sandbox.
  const { message, hint } = (error ?? {}) as { message?: unknown; hint?: unknown }
  if (typeof message !== 'string') return String(error)
  return typeof hint === 'string' ? `${message}; ${hint}` : message
}
