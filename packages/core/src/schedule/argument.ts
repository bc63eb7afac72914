import { type Fault, type Parsed, shifted } from '../error/fault.ts'

/** A piece of a modifier's inside, and where it stands in the line. */
export interface Argument {
  readonly text: string
  readonly at: number
}

const QUOTE = 34
const BACKSLASH = 92

/** The first of one or two `wanted` characters outside quotes, from `from` on; -1 if there is none. */
export function findUnquoted(text: string, wanted: string, from: number): number {
  const one = wanted.charCodeAt(0)
  const other = wanted.charCodeAt(wanted.length - 1)
  let quoted = false
  for (let i = from; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code === QUOTE) quoted = !quoted
    else if (quoted) i += code === BACKSLASH ? 1 : 0
    else if (code === one || code === other) return i
  }
  return -1
}

export function splitArguments(inside: Argument, separator: ',' | ';'): Argument[] {
  const pieces: Argument[] = []
  let start = 0
  for (;;) {
    const end = findUnquoted(inside.text, separator, start)
    pieces.push({ text: inside.text.slice(start, end < 0 ? undefined : end), at: inside.at + start })
    if (end < 0) return pieces
    start = end + 1
  }
}

/** `key=value`; the value is undefined where there is no `=`. */
export function keyAndValue(argument: Argument): { key: Argument; value: Argument | undefined } {
  const equals = argument.text.indexOf('=')
  if (equals < 0) return { key: argument, value: undefined }
  return {
    key: { text: argument.text.slice(0, equals), at: argument.at },
    value: { text: argument.text.slice(equals + 1), at: argument.at + equals + 1 },
  }
}

/** The most faults reported for one line: a line of a million commas must not become a million faults. */
const MOST_FAULTS = 100

/** Collects the faults of one text; readers return undefined after reporting. */
export class Faults {
  readonly list: Fault[] = []

  syntax(where: Argument, message: string, hint?: string): undefined {
    this.#add('ConfigurationError', where, message, hint)
  }

  meaning(where: Argument, message: string, hint?: string): undefined {
    this.#add('ValidationError', where, message, hint)
  }

  /** The value of an inner parse, or its faults moved to where it stands. */
  take<T>(where: Argument, inner: Parsed<T>): T | undefined {
    if (inner.ok) return inner.value
    this.#push(shifted(inner.faults, where.at))
  }

  #add(category: Fault['category'], { at, text }: Argument, message: string, hint?: string): void {
    this.#push([{ category, message, at, length: text.length, ...(hint === undefined ? {} : { hint }) }])
  }

  #push(faults: readonly Fault[]): void {
    this.list.push(...faults.slice(0, MOST_FAULTS - this.list.length))
  }
}
