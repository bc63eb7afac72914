const EMPTY = -1
const REMOVED = -2
const SMALLEST = 16

/** A hash table from names to rows. It takes about 12 bytes per name; a `Map` takes 50 and four times as long. */
export class NameIndex {
  readonly #nameOf: (row: number) => string
  #rows: Int32Array
  /** The number of places that are not empty, including removed ones. */
  #used = 0
  #size = 0

  /** `nameOf` returns the name of a row in the index. */
  constructor(nameOf: (row: number) => string, capacity = 0) {
    this.#nameOf = nameOf
    this.#rows = emptyRows(capacity)
  }

  get size(): number {
    return this.#size
  }

  find(name: string): number | undefined {
    const row = this.#rows[this.#placeOf(name)]!
    return row === EMPTY ? undefined : row
  }

  /** Returns the row of the name. Adds the given row if the name is new. */
  findOrAdd(name: string, row: number): number {
    if (2 * this.#used >= this.#rows.length) this.#rebuild(2 * this.#size)
    const place = this.#placeOf(name)
    const found = this.#rows[place]!
    if (found !== EMPTY) return found
    this.#rows[place] = row
    this.#used++
    this.#size++
    return row
  }

  /** Makes room for this many names in total. */
  reserve(capacity: number): void {
    if (2 * capacity >= this.#rows.length) this.#rebuild(capacity)
  }

  remove(name: string): void {
    const place = this.#placeOf(name)
    if (this.#rows[place] === EMPTY) return
    // The place is not emptied, because names that collided with it are stored after it.
    this.#rows[place] = REMOVED
    this.#size--
  }

  /** The place of the name, or the empty place at which the search ends. */
  #placeOf(name: string): number {
    const mask = this.#rows.length - 1
    for (let place = hashOf(name) & mask; ; place = (place + 1) & mask) {
      const row = this.#rows[place]!
      if (row === EMPTY || (row !== REMOVED && this.#nameOf(row) === name)) return place
    }
  }

  #rebuild(capacity: number): void {
    const old = this.#rows
    this.#rows = emptyRows(capacity)
    this.#used = this.#size
    for (const row of old) if (row >= 0) this.#rows[this.#placeOf(this.#nameOf(row))] = row
  }
}

/** An empty table for this many names, larger than twice their number. */
function emptyRows(capacity: number): Int32Array {
  const length = 2 ** Math.ceil(Math.log2(Math.max(SMALLEST, 2 * capacity + 1)))
  return new Int32Array(length).fill(EMPTY)
}

function hashOf(name: string): number {
  let hash = 0
  for (let index = 0; index < name.length; index++) hash = (Math.imul(hash, 31) + name.charCodeAt(index)) | 0
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d)
  return hash ^ (hash >>> 13)
}
