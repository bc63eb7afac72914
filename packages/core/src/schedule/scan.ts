import { quote } from '../error/fault.ts'
import { type Argument, type Faults, findUnquoted } from './argument.ts'

const BLANKS = ' \t'
const MODIFIER = /^@\w+\(/
const FIELD = /^[a-z_]+=/
const LIKE_CRON =
  /^(?:[\d*?#,/LW-]|SUN|MON|TUE|WED|THU|FRI|SAT|JAN|FEB|MAR|APR|MAY|JUN|JUL|AUG|SEP|OCT|NOV|DEC)+$/i

/** Longer words are neither cron nor a modifier's name; they are looked at no further. */
const LONGEST_WORD = 200

/** Where the cron part stops: after a macro, at the first modifier or `key=`, or after its five words. */
export function endOfCron(text: string): number {
  let end = 0
  for (let words = 0; words < 6; words++) {
    const start = skipBlanks(text, end)
    const stop = endOfWord(text, start)
    const word = text.slice(start, Math.min(stop, start + LONGEST_WORD))
    if (word === '' || MODIFIER.test(word) || FIELD.test(word)) break
    // A sixth word belongs to it only if it looks like one, so that six fields get their own message.
    if (words === 5 && !LIKE_CRON.test(word)) break
    end = stop
    if (words === 0 && word.startsWith('@')) break
  }
  return end
}

const isBlank = (code: number): boolean => code === 32 || code === 9

function skipBlanks(text: string, from: number): number {
  let at = from
  while (at < text.length && isBlank(text.charCodeAt(at))) at++
  return at
}

function endOfWord(text: string, from: number): number {
  let at = from
  while (at < text.length && !isBlank(text.charCodeAt(at))) at++
  return at
}

/** One `@name(inside)`; the name's text is without its `@`, and its place that of the `@`. */
export interface Modifier {
  readonly name: Argument
  readonly inside: Argument
}

/** The modifiers from `from` on, and where the text goes on after them. */
export function scanModifiers(text: string, from: number, faults: Faults): { list: Modifier[]; end: number } {
  const list: Modifier[] = []
  let at = skipBlanks(text, from)
  while (text[at] === '@') {
    const name = /^@[^\s(]*/.exec(text.slice(at, at + LONGEST_WORD))![0]
    const open = at + name.length
    if (text[open] !== '(') {
      faults.syntax(
        { text: name, at },
        `${quote(name)} has no parentheses`,
        'write for example @tz(Europe/Paris)',
      )
      at = skipBlanks(text, open)
      continue
    }
    const close = findUnquoted(text, ')', open + 1)
    if (close < 0) {
      faults.syntax(
        { text: text.slice(open), at: open },
        `the parenthesis of ${quote(name)} is never closed`,
        'add )',
      )
      return { list, end: text.length }
    }
    const inside = { text: text.slice(open + 1, close), at: open + 1 }
    if (hasNoBlank(name, inside, faults)) list.push({ name: { text: name.slice(1), at }, inside })
    at = skipBlanks(text, close + 1)
    if (at === close + 1 && at < text.length) {
      faults.syntax(
        { text: text[at]!, at },
        `no blank after ${quote(`${name}(…)`)}`,
        'separate modifiers by a blank',
      )
    }
  }
  return { list, end: at }
}

function hasNoBlank(name: string, { text, at }: Argument, faults: Faults): boolean {
  const blank = findUnquoted(text, BLANKS, 0)
  if (blank < 0) return true
  const hint = 'write it without blanks; only a quoted salt may hold them'
  faults.syntax({ text: text[blank]!, at: at + blank }, `a blank inside ${quote(`${name}(…)`)}`, hint)
  return false
}
