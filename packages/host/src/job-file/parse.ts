import type { Fault } from '@kron/core'
import { BOM, encodingFaults, RETURN } from './encoding.ts'
import { type Entry, nameOf } from './entry.ts'
import type { LineFault } from './fault.ts'
import { flat } from './flat.ts'
import { parseLine } from './parse-line.ts'
import { Sharing } from './sharing.ts'
import { skipBlanks } from './words.ts'

export interface JobFile {
  readonly path: string
  readonly entries: readonly Entry[]
  /** In the order of the file. With faults, `entries` has the lines without one; krond does not run them. */
  readonly faults: readonly LineFault[]
}

export interface ParseOptions {
  /** Pass the same object for several files, so that they share their parts too. */
  readonly sharing?: Sharing
  /** Called now and then with the number of characters read so far. */
  readonly progress?: (done: number, total: number) => void
}

export const LONGEST_LINE = 65_536

/** After this many faults the rest of the file is skipped: it is not a job file. */
export const MOST_FAULTS = 10_000

const PROGRESS_STEP = 4_096
const NOTHING = /^/

/** Reads a whole job file; `path` is the absolute path that makes the identities. */
export function parseJobFile(text: string, path: string, options: ParseOptions = {}): JobFile {
  const { sharing = new Sharing(), progress } = options
  const entries: Entry[] = []
  const faults = encodingFaults(text)
  const lines = new Map<string, number>()
  let number = 0
  for (let start = text.startsWith(BOM) ? 1 : 0; start < text.length; ) {
    const newline = text.indexOf('\n', start)
    const end = newline < 0 ? text.length : newline
    const line = text.slice(start, text.charCodeAt(end - 1) === RETURN ? end - 1 : end)
    start = end + 1
    number++
    if (number % PROGRESS_STEP === 0) progress?.(start, text.length)
    const found = parseOne(line)
    if (found.length === 0) continue
    const source = flat(line)
    for (const fault of found) faults.push({ ...fault, line: number, source })
    if (faults.length >= MOST_FAULTS && start < text.length) {
      faults.push(tooMany(number, source))
      break
    }
  }
  // V8 keeps the text of the last match, and a line keeps its whole file.
  NOTHING.test('')
  return { path, entries, faults: faults.sort((a, b) => a.line - b.line || a.at - b.at) }

  function parseOne(line: string): readonly Fault[] {
    const first = skipBlanks(line, 0)
    if (first === line.length || line[first] === '#') return []
    if (line.length > LONGEST_LINE / 3 && Buffer.byteLength(line) > LONGEST_LINE) return [tooLong(line)]
    const { entry, identity, nameAt, faults: found } = parseLine(line, number, path, sharing)
    const before = lines.get(identity)
    if (before !== undefined) return [...found, sameName(nameOf(identity), nameAt, before)]
    if (identity !== '') lines.set(identity, number)
    if (entry !== undefined) entries.push(entry)
    return found
  }
}

const sameName = (name: string, at: number, before: number): Fault => ({
  category: 'ConfigurationError',
  message: `the name ${name} is already used in line ${before}`,
  hint: 'names are unique in a file',
  at,
  length: name.length,
})

const tooLong = (line: string): Fault => ({
  category: 'ValidationError',
  message: `the line has ${Buffer.byteLength(line)} bytes, more than ${LONGEST_LINE}`,
  hint: 'put long commands into a script',
  at: 0,
  length: line.length,
})

const tooMany = (line: number, source: string): LineFault => ({
  category: 'ConfigurationError',
  message: `${MOST_FAULTS} errors are enough: the rest of the file was not checked`,
  hint: 'is this a job file?',
  at: source.length,
  length: 0,
  line,
  source,
})
