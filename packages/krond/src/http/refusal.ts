/** The reason why a request is refused: a status, the mistake, and a hint. */
export class Refusal extends Error {
  readonly status: number
  readonly hint: string | undefined
  /** The methods that the path supports, for status 405. */
  readonly allow: string | undefined

  constructor(status: number, message: string, hint?: string, allow?: string) {
    super(message)
    this.status = status
    this.hint = hint
    this.allow = allow
  }
}
