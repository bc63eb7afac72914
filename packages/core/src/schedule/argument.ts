import { type Fault, type Parsed, shifted } from '../fault.ts'

/** A piece of a modifier's inside, and where it stands in the line. */
export interface Argument {
  readonly text: string
  readonly at: number
}

export function splitArguments(inside: Argument, separator: ',' | ';'): Argument[] {
  const pieces: Argument[] = []
  let start = 0
  let quoted = false
  for (let i = 0; i <= inside.text.length; i++) {
    const c = inside.text[i]
    if (quoted && c === '\\') i++
    else if (c === '"') quoted = !quoted
    else if (i >= inside.text.length || (c === separator && !quoted)) {
      pieces.push({ text: inside.text.slice(start, i), at: inside.at + start })
      start = i + 1
    }
  }
  return pieces
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

/** Collects the faults of one text; readers return undefined after reporting. */
export class Faults {
  readonly list: Fault[] = []

  syntax(where: Argument, message: string, hint?: string): undefined {
    this.add('ConfigurationError', where, message, hint)
  }

  meaning(where: Argument, message: string, hint?: string): undefined {
    this.add('ValidationError', where, message, hint)
  }

  /** The value of an inner parse, or its faults moved to where it stands. */
  take<T>(where: Argument, inner: Parsed<T>): T | undefined {
    if (inner.ok) return inner.value
    this.list.push(...shifted(inner.faults, where.at))
  }

  private add(category: Fault['category'], { at, text }: Argument, message: string, hint?: string): void {
    this.list.push({ category, message, at, length: text.length, ...(hint === undefined ? {} : { hint }) })
  }
}
