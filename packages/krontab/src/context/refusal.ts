import type { Parsed } from '@kron/core'

/** The reason why a command cannot do its work; main prints it and exits with its code. */
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

/** Compares by name, because each bundled command has its own copy of the class. */
export const isRefusal = (error: unknown): error is Refusal =>
  error instanceof Error && error.name === 'Refusal'

/** The exit codes that mean the same in every command except `run`. */
export const OK = 0
export const NOT_FOUND = 1
export const INVALID = 1
export const BAD_INPUT = 2

/** A refusal of wrong input, or of a file that cannot be used. */
export const badInput = (message: string, hint?: string): Refusal => new Refusal(BAD_INPUT, message, hint)

/** The value that was read; a fault is refused, with `where` before its message. */
export function requireValue<T>(read: Parsed<T>, where = '', code = BAD_INPUT): T {
  if (read.ok) return read.value
  const { message, hint } = read.faults[0]!
  throw new Refusal(code, `${where}${message}`, hint)
}
