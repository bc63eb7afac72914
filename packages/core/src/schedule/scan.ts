import { quote } from '../fault.ts'
import type { Argument, Faults } from './argument.ts'

const BLANK = /[ \t]/

/** Where the cron part stops: after a macro or at the first modifier, field or (at most) six words. */
export function endOfCron(text: string): number {
  let at = 0
  for (let words = 0; words < 6; words++) {
    const start = skipBlanks(text, at)
    let end = start
    while (end < text.length && !BLANK.test(text[end]!)) end++
    const word = text.slice(start, Math.min(end, start + 200))
    if (word === '' || /^@\w+\(/.test(word) || /^[a-z_]+=/.test(word)) return at
    at = end
    if (words === 0 && word.startsWith('@')) return at
    // A sixth word belongs to the cron part only if it looks like one, so that its own message is given.
    if (words === 4 && !/^[\d*?LW#,/-]+([ \t]|$)/.test(text.slice(skipBlanks(text, end)))) return at
  }
  return at
}

function skipBlanks(text: string, from: number): number {
  let at = from
  while (at < text.length && BLANK.test(text[at]!)) at++
  return at
}

export interface Modifier {
  readonly name: Argument
  readonly inside: Argument
}

export function scanModifiers(text: string, from: number, faults: Faults): { list: Modifier[]; end: number } {
  const list: Modifier[] = []
  let at = skipBlanks(text, from)
  while (text[at] === '@') {
    const name = /^@[^\s(]*/.exec(text.slice(at, at + 100))![0]
    const open = at + name.length
    if (text[open] !== '(') {
      const hint =
        name.length > 1 ? `write ${name}(…)` : 'modifiers are @tz @win @dist @seed @policy @only @avoid'
      faults.syntax({ text: name, at }, `the modifier ${quote(name)} has no parentheses`, hint)
      at = skipBlanks(text, open)
      continue
    }
    const close = closingParenthesis(text, open)
    if (close < 0) {
      const rest = text.slice(open)
      faults.syntax({ text: rest, at: open }, `the parenthesis of ${name} is never closed`, 'add )')
      return { list, end: text.length }
    }
    const inside = { text: text.slice(open + 1, close), at: open + 1 }
    const blank = blankOutsideQuotes(inside.text)
    if (blank >= 0) {
      const where = { text: inside.text[blank]!, at: inside.at + blank }
      faults.syntax(
        where,
        `a blank inside ${name}(…)`,
        'write it without blanks; only a quoted salt may hold them',
      )
    } else list.push({ name: { text: name.slice(1), at }, inside })
    const next = skipBlanks(text, close + 1)
    if (next === close + 1 && next < text.length) {
      faults.syntax(
        { text: text[next]!, at: next },
        `expected a blank after ${name}(…)`,
        'separate modifiers by a blank',
      )
    }
    at = next
  }
  return { list, end: at }
}

function closingParenthesis(text: string, open: number): number {
  let quoted = false
  for (let i = open + 1; i < text.length; i++) {
    const c = text[i]
    if (quoted && c === '\\') i++
    else if (c === '"') quoted = !quoted
    else if (c === ')' && !quoted) return i
  }
  return -1
}

function blankOutsideQuotes(text: string): number {
  let quoted = false
  for (let i = 0; i < text.length; i++) {
    const c = text[i]!
    if (quoted && c === '\\') i++
    else if (c === '"') quoted = !quoted
    else if (!quoted && BLANK.test(c)) return i
  }
  return -1
}
