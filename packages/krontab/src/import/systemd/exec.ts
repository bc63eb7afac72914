import { quote } from '@kron/core'
import { shellWord } from '../shell.ts'

/** One command line of a service. */
export interface Exec {
  /** Words for a POSIX shell: everything is quoted except the variables. */
  readonly shellWords: readonly string[]
  /** The same words as plain texts, if nothing must be expanded. */
  readonly words: readonly string[] | undefined
  /** The prefix characters. */
  readonly prefixes: string
}

export type Specifiers = Readonly<Record<string, string>>

const ESCAPES: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  s: ' ',
  r: '\r',
  '\\': '\\',
  '"': '"',
  "'": "'",
  $: '$',
}

/** Reads a command line of systemd, or returns the reason why it cannot be converted. */
export function readExec(text: string, specifiers: Specifiers): Exec | string {
  const prefixes = /^[@\-:+!|]*/.exec(text)![0]
  if (prefixes.includes('@')) return 'a program name of its own (@) has no counterpart'
  if (/(?:^|\s);(?:\s|$)/.test(text)) return 'several commands in one line: give each a line of its own'
  const words = splitWords(text.slice(prefixes.length))
  if (typeof words === 'string') return words
  if (words.length === 0) return 'it is empty'
  const expanded: string[] = []
  for (const word of words) {
    const known = expandSpecifiers(word, specifiers)
    if (known === undefined) return `a specifier in ${quote(word)} is known to systemd only`
    expanded.push(known)
  }
  const literal = prefixes.includes(':')
  const plain = literal || expanded.every(word => !word.includes('$'))
  return {
    prefixes,
    words: plain ? expanded : undefined,
    shellWords: literal ? expanded.map(shellWord) : expanded.map(variableWord),
  }
}

/** A whole word `$NAME` is split by the shell, as in systemd; `${NAME}` within a word is not. */
function variableWord(word: string): string {
  if (/^\$[A-Za-z_]\w*$/.test(word)) return word
  return word
    .split(/(\$\{[A-Za-z_]\w*\}|\$\$)/)
    .map(part =>
      part === '$$' ? "'$'" : part.startsWith('${') ? `"${part}"` : part === '' ? '' : shellWord(part),
    )
    .join('')
}

export function expandSpecifiers(text: string, specifiers: Specifiers): string | undefined {
  let unknown = false
  const expanded = text.replace(/%(.?)/g, (_, letter: string) => {
    if (letter === '%') return '%'
    if (!Object.hasOwn(specifiers, letter)) unknown = true
    return specifiers[letter] ?? ''
  })
  return unknown ? undefined : expanded
}

/** Splits like systemd: blanks separate words, quotes keep them together, and C escapes have their usual meaning. */
export function splitWords(text: string): string[] | string {
  const words: string[] = []
  let word: string | undefined
  let mark = ''
  for (let at = 0; at < text.length; at++) {
    const c = text[at]!
    if (c === '\\') {
      const hex = /^x([0-9a-fA-F]{2})/.exec(text.slice(at + 1))
      const escaped =
        hex === null ? ESCAPES[text[at + 1] ?? ''] : String.fromCharCode(Number.parseInt(hex[1]!, 16))
      if (escaped === undefined) return `${quote(text.slice(at, at + 2))} is not an escape`
      word = (word ?? '') + escaped
      at += hex === null ? 1 : 3
    } else if (mark !== '') {
      if (c === mark) mark = ''
      else word += c
    } else if ((c === '"' || c === "'") && word === undefined) {
      mark = c
      word = ''
    } else if (c === ' ' || c === '\t') {
      if (word !== undefined) words.push(word)
      word = undefined
    } else word = (word ?? '') + c
  }
  if (mark !== '') return 'a quote is never closed'
  return word === undefined ? words : [...words, word]
}
