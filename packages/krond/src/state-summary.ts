import { crc32 } from 'node:zlib'
import { type Handled, STATE_VERSION } from '@kron/core'

/** What a start must know of a job of which nothing runs and whose handled periods have no gap. */
export interface Rest {
  readonly seq: number
  readonly handled: Handled
}

/** A line of the summary: the state file `name`, as long as it has this `version`, holds `rest`. */
export interface SummaryLine extends Rest {
  readonly name: string
  readonly version: string
}

const HEADER = `kron summary 1 of state ${STATE_VERSION}\n`
const NONE: readonly number[] = []

export const printLine = ({ name, version, seq, handled }: SummaryLine): string =>
  `${name} ${version} ${seq} ${handled.through} ${handled.firstSeen}\n`

export const printSummary = (lines: string): string => `${HEADER}${lines}${checksum(lines)}\n`

/**
 * What the state files held when they were last looked at: a hundred thousand of them are looked at four times sooner
 * than read. The files are the truth; a line counts only while its file has not changed in any way.
 */
export class StateSummary {
  private readonly text: string
  /** By the name of the file, where its line begins. */
  private readonly lines = new Map<string, number>()

  constructor(text = '') {
    this.text = text
    const end = text.lastIndexOf('\n', text.length - 2) + 1
    if (!text.startsWith(HEADER) || text.slice(end) !== `${checksum(text.slice(HEADER.length, end))}\n`)
      return
    for (let at = HEADER.length; at < end; at = text.indexOf('\n', at) + 1)
      this.lines.set(text.slice(at, text.indexOf(' ', at)), at)
  }

  find(name: string, version: string | undefined): Rest | undefined {
    const at = this.lines.get(name)
    if (at === undefined || version === undefined) return undefined
    const from = at + name.length + 1
    if (!this.text.startsWith(`${version} `, from)) return undefined
    const rest = this.text.slice(from + version.length + 1, this.text.indexOf('\n', from))
    const [seq, through, firstSeen] = rest.split(' ')
    return {
      seq: Number(seq),
      handled: { through: Number(through), above: NONE, firstSeen: Number(firstSeen) },
    }
  }
}

const checksum = (text: string): string => crc32(text).toString(16)
