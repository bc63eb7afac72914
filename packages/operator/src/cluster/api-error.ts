/** The body of a refusal from the API server: a `Status` object. */
export interface StatusBody {
  readonly reason?: string
  readonly message?: string
}

/** A request that was refused (`status` is the HTTP status) or got no answer (`status` is 0). */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly status: number
  readonly reason: string
  /** Whether the server certainly did nothing, because the request was not sent. */
  readonly unsent: boolean

  constructor(
    status: number,
    body: StatusBody | undefined,
    operation: string,
    rest: { cause?: unknown; unsent?: boolean } = {},
  ) {
    super(
      body?.message ?? `${operation}: HTTP ${status}`,
      rest.cause === undefined ? undefined : { cause: rest.cause },
    )
    this.status = status
    this.reason = body?.reason ?? ''
    this.unsent = rest.unsent ?? false
  }

  static unreachable(cause: unknown, operation: string): ApiError {
    const { message, code } = cause as NodeJS.ErrnoException
    const unsent = code === 'ECONNREFUSED' || code === 'ENOTFOUND' || code === 'EHOSTUNREACH'
    return new ApiError(0, { reason: 'Unreachable', message: `${operation}: ${message}` }, operation, {
      cause,
      unsent,
    })
  }
}

export const isGone = (error: unknown): boolean =>
  error instanceof ApiError && (error.status === 410 || error.reason === 'Expired')
/** Whether the object does not exist. A path that is not served (yet) does not count. */
export const isNotFound = (error: unknown): boolean =>
  error instanceof ApiError && error.status === 404 && error.reason === 'NotFound'
export const isConflict = (error: unknown): boolean => error instanceof ApiError && error.status === 409
/** Whether an object with that name exists. Other conflicts, such as a quota, do not count. */
export const isAlreadyThere = (error: unknown): boolean =>
  isConflict(error) && (error as ApiError).reason === 'AlreadyExists'
/** Whether the request may have happened although it failed. A 503 means that the server accepts no requests. */
export const isLost = (error: unknown): boolean =>
  error instanceof ApiError &&
  !error.unsent &&
  (error.status === 0 || (error.status >= 500 && error.status !== 503))
/** Whether RBAC refused the request, and not an admission plugin. */
export const isForbidden = (error: unknown): boolean =>
  error instanceof ApiError && error.status === 403 && / cannot \w+ resource /.test(error.message)

/** Explains how to fix a missing permission. */
export const forbiddenText = (error: unknown): string =>
  `a permission is missing: ${(error as ApiError).message}; compare the role with \`kronctl install --print\``
