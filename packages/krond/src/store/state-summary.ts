import { crc32 } from 'node:zlib'
import type { Handled, NominalRange } from '@kron/core'
import { STATE_VERSION } from '@kron/host'

/** The facts that a start needs about a job without a running execution and without a gap in its handled periods. */
export interface Rest {
  readonly seq: number
  readonly handled: Handled
}

/** A line of the summary: the state file `name`, as long as it has this `version`, holds `rest`. */
export interface SummaryLine extends Rest {
  readonly name: string
  readonly version: string
}

const HEADER = `kron summary 2 of state ${STATE_VERSION}\n`
const NONE: readonly number[] = []

export const printLine = ({ name, version, seq, handled }: SummaryLine): string =>
  `${name} ${version} ${seq} ${handled.through} ${handled.firstSeen}${printRanges(handled.swept)}\n`

const printRanges = (ranges: readonly NominalRange[] = []): string =>
  ranges.map(({ after, through }) => ` ${after}:${through}`).join('')

function readRange(text: string): NominalRange {
  const [after, through] = text.split(':')
  return { after: Number(after), through: Number(through) }
}

/** The line of a file that must be read: it only keeps the file's place in the order. */
export const printPlace = (name: string): string => `${name} -\n`

export const printSummary = (lines: string): string => `${HEADER}${lines}${checksum(lines)}\n`

/**
 * The content of the state files when they were last examined: calling stat on 100,000 files is four times faster than
 * reading them. The files are the truth; a line counts only while its file has not changed in any way.
 */
export class StateSummary {
  readonly #text: string = ''
  /** The offset of the line that was last asked for: jobs are usually asked for in the order of their lines. */
  #at = 0
  /** The offset of each line by file name; only if some job is out of order. */
  #lines: ReadonlyMap<string, number> | undefined

  constructor(bytes: Uint8Array = new Uint8Array()) {
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1')
    const end = text.lastIndexOf('\n', text.length - 2) + 1
    if (!text.startsWith(HEADER)) return
    if (text.slice(end) !== `${checksum(bytes.subarray(HEADER.length, end))}\n`) return
    this.#text = text.slice(0, end)
    this.#at = HEADER.length
  }

  /** False if it was damaged, or is of another version. */
  get isUsable(): boolean {
    return this.#text !== ''
  }

  has(name: string): boolean {
    if (this.#text.startsWith(name, this.#at)) return true
    const next = this.#text.indexOf('\n', this.#at) + 1
    const at = this.#text.startsWith(name, next) ? next : this.#allLines().get(name)
    if (at !== undefined) this.#at = at
    return at !== undefined
  }

  find(name: string, version: string | undefined): Rest | undefined {
    if (version === undefined || !this.has(name)) return undefined
    const from = this.#at + name.length + 1
    if (!this.#text.startsWith(`${version} `, from)) return undefined
    const rest = this.#text.slice(from + version.length + 1, this.#text.indexOf('\n', from))
    const [seq, through, firstSeen, ...swept] = rest.split(' ')
    return {
      seq: Number(seq),
      handled: {
        through: Number(through),
        above: NONE,
        firstSeen: Number(firstSeen),
        ...(swept.length > 0 && { swept: swept.map(readRange) }),
      },
    }
  }

  #allLines(): ReadonlyMap<string, number> {
    if (this.#lines !== undefined) return this.#lines
    const lines = new Map<string, number>()
    for (let at = HEADER.length; at < this.#text.length; at = this.#text.indexOf('\n', at) + 1)
      lines.set(this.#text.slice(at, this.#text.indexOf(' ', at)), at)
    this.#lines = lines
    return lines
  }
}

const checksum = (lines: Uint8Array | string): string => crc32(lines).toString(16)
