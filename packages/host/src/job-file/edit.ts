import { parseScheduleHead, printSalt } from '@kron/core'
import { parseJobFile } from './parse.ts'

/** The file without one entry, otherwise byte for byte the same; undefined if no line holds the entry. */
export function removeEntry(text: string, path: string, name: string): string | undefined {
  const entry = parseJobFile(text, path).entries.find(each => each.name === name)
  if (entry === undefined) return undefined
  let start = 0
  for (let line = 1; line < entry.line; line++) start = text.indexOf('\n', start) + 1
  const newline = text.indexOf('\n', start)
  return text.slice(0, start) + (newline < 0 ? '' : text.slice(newline + 1))
}

const SEED = /@seed\(((?:[^"()]|"(?:[^"\\]|\\.)*")*)\)/
const SALT = /,salt=(?:"(?:[^"\\]|\\.)*"|[^,]*)/

/** The file with other salts for the jobs in some of its lines, otherwise byte for byte the same. */
export function changeSalts(text: string, salts: ReadonlyMap<number, string>): string {
  return text
    .split('\n')
    .map((line, i) => {
      const salt = salts.get(i + 1)
      return salt === undefined ? line : changeSalt(line, salt)
    })
    .join('\n')
}

function changeSalt(line: string, salt: string): string {
  const { end } = parseScheduleHead(line)
  const head = line.slice(0, end)
  const seed = SEED.exec(head)
  const added = salt === '' ? '' : `,salt=${printSalt(salt)}`
  if (seed !== null) {
    const inside = seed[1]!.replace(SALT, '')
    return `${line.slice(0, seed.index)}@seed(${inside}${added})${line.slice(seed.index + seed[0].length)}`
  }
  const at = head.trimEnd().length
  return salt === '' ? line : `${line.slice(0, at)} @seed(stable${added})${line.slice(at)}`
}
