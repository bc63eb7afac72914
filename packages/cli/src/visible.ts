/** Control characters, and those that reorder or hide the text around them. */
const UNSAFE = '[\\p{Cc}\\u061c\\u200b\\u200e\\u200f\\u2028-\\u202e\\u2060-\\u2069\\ufeff]'
const ANYWHERE = new RegExp(UNSAFE, 'gu')
/** Line ends and tabs are our own layout. */
const IN_LINES = new RegExp(`(?![\\n\\t])${UNSAFE}`, 'gu')

const hex = (character: string, digits: number): string =>
  character.codePointAt(0)!.toString(16).padStart(digits, '0')

const escaped = (character: string): string =>
  character < '\u0100' ? `\\x${hex(character, 2)}` : `\\u${hex(character, 4)}`

/**
 * A value from a file or the network made safe for a terminal: an escape character becomes `\x1b`, so that no text can
 * move the cursor, change colours, or forge or hide a line.
 */
export const visible = (text: string): string => text.replace(ANYWHERE, escaped)

/** JSON for a terminal: the same value, with every such character as `\u001b`. */
export const visibleJson = (json: string): string => json.replace(IN_LINES, each => `\\u${hex(each, 4)}`)

const MARK_KEY = Symbol.for('@kron/cli: the mark of this process')
const digits = (): number => 1_000 + Math.floor(Math.random() * 9_000)
/** The parts of a bundle have copies of this module, which must agree on the mark. */
const shared = globalThis as { [MARK_KEY]?: string }
/** New in every process, so that no text can know it: it tells our own escape sequences from those in a text. */
shared[MARK_KEY] ??= `\u001b[${digits()};${digits()};${digits()}`
const MARK = shared[MARK_KEY]
const OWN = new RegExp(`${MARK.replace('[', '\\[')};?(\\d*[mKG])`, 'g')

/** An escape sequence of our own, such as `31m`; it takes effect when `visibleScreen` has let it through. */
export const control = (sequence: string): string => `${MARK};${sequence}`

/** A whole output made safe, as the last thing before it is written; our own colours, line ends and tabs stay. */
export function visibleScreen(text: string): string {
  let safe = ''
  let end = 0
  for (const match of text.matchAll(OWN)) {
    safe += `${visibleLines(text.slice(end, match.index))}\u001b[${match[1]}`
    end = match.index + match[0].length
  }
  return safe + visibleLines(text.slice(end))
}

const visibleLines = (text: string): string => text.replace(IN_LINES, escaped)
