/** Why a command cannot do what it was asked to do; main prints it and exits with its code. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly code: number
  readonly hint: string | undefined

  constructor(code: number, message: string, hint?: string) {
    super(message)
    this.code = code
    this.hint = hint
  }
}

/** By name, because each bundled command has a class of its own. */
export const isRefusal = (error: unknown): error is Refusal =>
  error instanceof Error && error.name === 'Refusal'

/** The exit codes that mean the same in every command but `run`. */
export const OK = 0
export const NOT_FOUND = 1
export const INVALID = 1
export const BAD_INPUT = 2
