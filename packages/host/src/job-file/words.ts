import { type Argument, type Faults, quote } from '@kron/core'

/** One `key=value` of a line. */
export interface Word {
  readonly key: Argument
  /** Without quotes and escapes; `at` is the offset of the value in the line, including its quotes. */
  readonly value: Argument
  /** The value as it is written. */
  readonly raw: Argument
  readonly quoted: boolean
  /** False if the value could not be read; that fault has been reported. */
  readonly sound: boolean
}

export interface Words {
  readonly list: readonly Word[]
  /** False if an unclosed quote has consumed the rest of the line. */
  readonly complete: boolean
}

const KEY = /(?:[A-Za-z_][\w-]*)?=/y

/** The `key=value` words of a line from an offset on. */
export function scanWords(line: string, from: number, faults: Faults): Words {
  const list: Word[] = []
  let at = skipBlanks(line, from)
  while (at < line.length) {
    if (!startsWord(line, at)) {
      at = strayText(line, at, list.at(-1), faults)
      continue
    }
    const equals = line.indexOf('=', at)
    const key = { text: line.slice(at, equals), at }
    const { value, end, quoted } = readValue(line, equals + 1, key.text, faults)
    const raw = { text: line.slice(equals + 1, end), at: equals + 1 }
    if (key.text === '') faults.syntax({ text: '=', at }, 'a value without a key', 'write key=value')
    else list.push({ key, value: { text: value ?? '', at: raw.at }, raw, quoted, sound: value !== undefined })
    if (value === undefined && end === line.length && quoted) return { list, complete: false }
    at = skipBlanks(line, end)
  }
  return { list, complete: true }
}

function startsWord(line: string, at: number): boolean {
  KEY.lastIndex = at
  return KEY.test(line)
}

interface Value {
  /** undefined: a fault has been reported. */
  readonly value: string | undefined
  readonly end: number
  readonly quoted: boolean
}

function readValue(line: string, at: number, key: string, faults: Faults): Value {
  if (line[at] === '"') return readQuoted(line, at, at, faults)
  const end = endOfWord(line, at)
  const mark = line.indexOf('"', at)
  if (mark < 0 || mark >= end) return { value: line.slice(at, end), end, quoted: false }
  // `env=KEY="some value"` is the usual way to write it.
  if (key === 'env' && line[mark - 1] === '=') return readQuoted(line, at, mark, faults)
  faults.syntax(
    { text: '"', at: mark },
    'a quote inside an unquoted value',
    `write ${key}="…" with \\" inside`,
  )
  const close = line.indexOf('"', mark + 1)
  return { value: undefined, end: endOfWord(line, close < 0 ? mark : close), quoted: false }
}

/** A quoted text that starts at `open`, with the bare text before it from `at` on. */
function readQuoted(line: string, at: number, open: number, faults: Faults): Value {
  const close = closingQuote(line, open)
  if (close < 0) {
    faults.syntax({ text: line.slice(open), at: open }, 'the quote is never closed', 'add " after the value')
    return { value: undefined, end: line.length, quoted: true }
  }
  const end = endOfWord(line, close + 1)
  if (end > close + 1) {
    const rest = { text: line.slice(close + 1, end), at: close + 1 }
    faults.syntax(
      rest,
      `unexpected ${quote(rest.text)} after the closing quote`,
      'put a blank after the quote',
    )
    return { value: undefined, end, quoted: true }
  }
  const inside = line.slice(open + 1, close)
  const plain = inside.includes('\\') ? unescaped(inside, open + 1, faults) : inside
  return { value: plain === undefined ? undefined : line.slice(at, open) + plain, end, quoted: true }
}

function closingQuote(line: string, open: number): number {
  let close = line.indexOf('"', open + 1)
  while (close > 0 && isEscaped(line, close)) close = line.indexOf('"', close + 1)
  return close
}

function isEscaped(line: string, at: number): boolean {
  let before = at
  while (line[before - 1] === '\\') before--
  return (at - before) % 2 === 1
}

function unescaped(text: string, at: number, faults: Faults): string | undefined {
  const wrong = /(?:^|[^\\])(?:\\\\)*(\\[^"\\])/.exec(text)
  if (wrong === null) return text.replace(/\\(["\\])/g, '$1')
  const found = wrong[1]!
  const where = { text: found, at: at + wrong.index + wrong[0].length - found.length }
  faults.syntax(
    where,
    `unknown escape ${quote(found)}`,
    'the only escapes are \\" and \\\\: write \\\\ for a backslash',
  )
}

/** Reports everything up to the next `key=` as one mistake, and returns the offset of that key. */
function strayText(line: string, at: number, before: Word | undefined, faults: Faults): number {
  let end = line[at] === '@' ? endOfWord(line, at) : line.length
  for (let next = at; next < end; next = skipBlanks(line, endOfWord(line, next))) {
    if (next > at && (line[next] === '@' || startsWord(line, next))) end = next
  }
  const text = line.slice(at, end).trimEnd()
  faults.syntax({ text, at }, `unexpected ${quote(text)}`, strayHint(text, before))
  return skipBlanks(line, end)
}

function strayHint(text: string, before: Word | undefined): string {
  if (text.startsWith('@')) return 'modifiers stand before the first key=value'
  if (text.startsWith('#')) return 'a comment needs a line of its own'
  if (before === undefined || before.quoted) return 'after the schedule everything is key=value'
  if (before.value.text.startsWith("'"))
    return singleQuoteHint(before.key.text, `${before.value.text} ${text}`)
  return `quote a value that holds blanks: ${before.key.text}="${before.value.text} ${text.split(/\s/, 1)[0]}…"`
}

/** The value as it would be in double quotes, if its closing quote can be found. */
function singleQuoteHint(key: string, value: string): string {
  const close = value.indexOf("'", 1)
  const inside = close < 0 ? '…' : value.slice(1, close).replaceAll(/["\\\\]/g, '\\\\$&')
  return `only double quotes group words: ${key}="${inside}"`
}

function endOfWord(line: string, from: number): number {
  let at = from
  while (at < line.length && !isBlank(line.charCodeAt(at))) at++
  return at
}

export function skipBlanks(line: string, from: number): number {
  let at = from
  while (at < line.length && isBlank(line.charCodeAt(at))) at++
  return at
}

const isBlank = (code: number): boolean => code === 32 || code === 9

/** The offset in the line of a character of an unescaped value. */
export function placeIn({ raw, quoted }: Word, index: number): number {
  if (!quoted) return raw.at + index
  let at = 1
  for (let n = 0; n < index; n++) at += raw.text[at] === '\\' ? 2 : 1
  return raw.at + at
}
