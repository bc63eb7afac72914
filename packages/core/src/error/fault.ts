/** One mistake in a text: what is wrong, where, and how to mend it. Parsers return these; they never throw. */
export interface Fault {
  readonly category: 'ConfigurationError' | 'ValidationError'
  readonly message: string
  readonly hint?: string
  /** Offset of the offending text, in UTF-16 units from the start of the parsed text. */
  readonly at: number
  /** Length of the offending text; 0 where something is missing. */
  readonly length: number
  /** For cron expressions: the field that is wrong, and the bare reason. */
  readonly field?: string
  readonly reason?: string
}

export type Parsed<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly faults: readonly Fault[] }

export const parsed = <T>(value: T): Parsed<T> => ({ ok: true, value })
export const faulty = (faults: readonly Fault[]): Parsed<never> => ({ ok: false, faults })

/** The one mistake in something that cannot be used as a whole. */
export const unusable = (message: string, hint: string): Parsed<never> =>
  faulty([{ category: 'ConfigurationError', message, hint, at: 0, length: 0 }])

/** The same faults, seen from a text that holds the parsed one at `by`. */
export const shifted = (faults: readonly Fault[], by: number): Fault[] =>
  faults.map(fault => ({ ...fault, at: fault.at + by }))

const LONGEST_QUOTE = 40

/** A text from the input made fit for a message: quoted, escaped, cut. */
export function quote(text: string): string {
  const short = text.length > LONGEST_QUOTE ? `${text.slice(0, LONGEST_QUOTE)}…` : text
  return JSON.stringify(short)
}
