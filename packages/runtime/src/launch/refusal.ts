/** Why nothing was started. It knows nothing of the error family, to keep the launching thread small. */
export class Refusal extends Error {
  /** Name of the errno. */
  readonly code: string
  readonly hint: string | undefined

  constructor(message: string, code: string, hint?: string) {
    super(`${message}: ${code}`)
    this.code = code
    this.hint = hint
  }
}
