import { learnSegments, type Segment } from './learn.ts'
import type { OffsetReader } from './offset.ts'
import type { ZoneTable } from './table.ts'

/** Segments are learnt a block of about a year at a time, when an instant in it is first asked for. */
const BLOCK = 2 ** 25
/** A power of two, so the product is exact; it is cheaper than a quotient. */
const BLOCKS_A_SECOND = 1 / BLOCK

/** The span of every zone table: mid 1961 to March 2208, so that 1970–2200 has a leap day on either side. */
export const TABLE_START = -8 * BLOCK
export const TABLE_END = 224 * BLOCK
const BLOCKS = (TABLE_END - TABLE_START) / BLOCK

/** The instant itself, or the table's nearest end. */
export const clampToTable = (at: number): number =>
  at < TABLE_START ? TABLE_START : at < TABLE_END ? at : TABLE_END - 1

/**
 * A time zone as a table of segments with constant offset. Its answers depend on its name and its data alone;
 * a learnt table only remembers what the runtime has already said.
 */
export class Zone {
  readonly name: string
  /** The data behind it, such as `tzdata 2026c` or `ICU 2024b`; empty where no data is needed. */
  readonly source: string
  readonly #read: OffsetReader
  // Columns of the table, a row per segment: rows of a block are in order, blocks in the order of learning.
  #starts = new Float64Array(8)
  #ends = new Float64Array(8)
  #offsets = new Int32Array(8)
  #rows = 0
  readonly #firstRows = new Int16Array(BLOCKS).fill(-1)
  #lastRow = 0

  constructor(name: string, read: OffsetReader, source = '') {
    this.name = name
    this.#read = read
    this.source = source
  }

  /** A zone that never changes its offset. */
  static fixed(name: string, offset: number): Zone {
    const zone = new Zone(name, () => offset)
    zone.#fill({ starts: [TABLE_START], offsets: [offset], source: '' })
    return zone
  }

  /** A zone whose offsets are all known already. */
  static fromTable(name: string, table: ZoneTable): Zone {
    const zone = new Zone(name, () => 0, table.source)
    zone.#fill(table)
    return zone
  }

  /** Seconds east of UTC; an instant outside the table is answered like the table's nearest end. */
  offsetAt(at: number): number {
    return this.offsetOf(this.rowAt(clampToTable(at)))
  }

  /** The offsets from one instant to another as plain data. */
  table(from: number, to: number): ZoneTable {
    const starts: number[] = []
    const offsets: number[] = []
    for (let at = clampToTable(from); at <= clampToTable(to); ) {
      const row = this.rowAt(at)
      if (offsets.at(-1) !== this.offsetOf(row)) {
        starts.push(at)
        offsets.push(this.offsetOf(row))
      }
      at = this.endOf(row)
    }
    return { starts, offsets, source: this.source }
  }

  /** The row of the segment that holds an instant of the table's span. */
  rowAt(at: number): number {
    let row = this.#lastRow
    if (at >= this.#starts[row]! && at < this.#ends[row]!) return row
    const block = ((at - TABLE_START) * BLOCKS_A_SECOND) | 0
    row = this.#firstRows[block]!
    if (row < 0) row = this.#learn(block)
    while (this.#ends[row]! <= at) row++
    this.#lastRow = row
    return row
  }

  startOf(row: number): number {
    return this.#starts[row]!
  }

  endOf(row: number): number {
    return this.#ends[row]!
  }

  offsetOf(row: number): number {
    return this.#offsets[row]!
  }

  /** Puts in every row of a table; nothing is left to learn. */
  #fill({ starts, offsets }: ZoneTable): void {
    for (let i = 0; i < starts.length; i++) {
      const start = i === 0 ? TABLE_START : starts[i]!
      const end = starts[i + 1] ?? TABLE_END
      if (end > TABLE_START && start < TABLE_END)
        this.#append({
          start: Math.max(start, TABLE_START),
          end: Math.min(end, TABLE_END),
          offset: offsets[i]!,
        })
    }
    let row = 0
    for (let block = 0; block < BLOCKS; block++) {
      while (this.#ends[row]! <= TABLE_START + block * BLOCK) row++
      this.#firstRows[block] = row
    }
  }

  #learn(block: number): number {
    const first = this.#rows
    const start = TABLE_START + block * BLOCK
    for (const segment of learnSegments(this.#read, start, start + BLOCK)) this.#append(segment)
    this.#firstRows[block] = first
    return first
  }

  #append(segment: Segment): void {
    const row = this.#rows++
    if (row === this.#starts.length) {
      this.#starts = grown(this.#starts, new Float64Array(row * 2))
      this.#ends = grown(this.#ends, new Float64Array(row * 2))
      this.#offsets = grown(this.#offsets, new Int32Array(row * 2))
    }
    this.#starts[row] = segment.start
    this.#ends[row] = segment.end
    this.#offsets[row] = segment.offset
  }
}

function grown<Column extends Float64Array | Int32Array>(old: Column, larger: Column): Column {
  larger.set(old)
  return larger
}

export const UTC = Zone.fixed('UTC', 0)
