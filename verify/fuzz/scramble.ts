import type { Random } from './random.ts'

const NUMBERS =
  '0 1 2 7 8 23 24 28 29 30 31 32 59 60 61 99 100 365 366 744 1440 86400 1e3 2147483647 2147483648 4294967296 9007199254740991 9007199254740993 99999999999999999999 -1 0.5 00 007'.split(
    ' ',
  )
const CHARACTERS = [
  ...' \t\n\r\0\v\f"\'\\/()[]{}<>,;:=@#%*-+~?!.&|$`^_aAzZ09',
  ...'\u00a0\u00b5\u03bc\u0130\u017f\ufeff\u2028\u2003\uff10\ud800\udc00\u{1f600}é',
]

/** Makes new inputs out of old ones. */
export class Scrambler {
  readonly #random: Random
  readonly #tokens: readonly string[]
  readonly #longest: number

  constructor(random: Random, tokens: readonly string[], longest: number) {
    this.#random = random
    this.#tokens = tokens.length > 0 ? tokens : CHARACTERS
    this.#longest = longest
  }

  /** A text with one to a few changes; `other` lends pieces. */
  scramble(text: string, other: string): string {
    let changed = text
    for (let left = 1 + this.#random.below(4); left > 0; left--) changed = this.#change(changed, other)
    return changed.length > this.#longest ? changed.slice(0, this.#longest) : changed
  }

  /** Tokens in a row. */
  soup(): string {
    let text = ''
    for (let left = 1 + this.#random.below(12); left > 0; left--)
      text += this.#random.pick(this.#tokens) + (this.#random.below(3) === 0 ? ' ' : '')
    return text
  }

  #change(text: string, other: string): string {
    const random = this.#random
    const at = random.below(text.length + 1)
    const end = Math.min(text.length, at + 1 + random.below(random.below(8) === 0 ? 64 : 6))
    switch (random.below(11)) {
      case 0:
        return text.slice(0, at) + random.pick(this.#tokens) + text.slice(at)
      case 1:
        return text.slice(0, at) + random.pick(this.#tokens) + text.slice(end)
      case 2:
        return text.slice(0, at) + text.slice(end)
      case 3:
        return text.slice(0, end) + text.slice(at)
      case 4:
        return text.slice(0, at) + random.pick(CHARACTERS) + text.slice(at + 1)
      case 5:
        return text.slice(0, at) + random.pick(CHARACTERS) + text.slice(at)
      case 6:
        return text.slice(0, at) + other.slice(random.below(other.length + 1))
      case 7:
        return replaceNumber(text, at, random.pick(NUMBERS))
      case 8: {
        const to = random.below(text.length + 1)
        const rest = text.slice(0, at) + text.slice(end)
        return rest.slice(0, to) + text.slice(at, end) + rest.slice(to)
      }
      case 9: {
        const from = random.below(other.length + 1)
        return text.slice(0, at) + other.slice(from, from + 1 + random.below(24)) + text.slice(at)
      }
      default: {
        const piece = text.slice(at, end)
        const most = Math.max(1, Math.floor((this.#longest - text.length) / Math.max(1, piece.length)))
        const times = random.below(Math.min(most, random.below(20) === 0 ? 4_096 : 6))
        return text.slice(0, at) + piece.repeat(times) + text.slice(at)
      }
    }
  }
}

function replaceNumber(text: string, from: number, by: string): string {
  const isDigit = (at: number): boolean => {
    const code = text.charCodeAt(at)
    return code >= 48 && code <= 57
  }
  let start = from
  while (start < text.length && !isDigit(start)) start++
  if (start === text.length) return text + by
  let end = start
  while (end < text.length && isDigit(end)) end++
  return text.slice(0, start) + by + text.slice(end)
}
