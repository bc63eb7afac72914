/** Why a request is not answered: a status, what is wrong, what to do. */
export class Refusal extends Error {
  readonly status: number
  readonly hint: string | undefined
  /** The methods that a path has, for status 405. */
  readonly allow: string | undefined

  constructor(status: number, message: string, hint?: string, allow?: string) {
    super(message)
    this.status = status
    this.hint = hint
    this.allow = allow
  }
}
