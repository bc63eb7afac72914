import type { Handled } from '@kron/core'
import type { Entry } from '@kron/host'

const FIRST_SIZE = 64
const NONE: readonly number[] = []

/** The jobs of the daemon by slot. Columns instead of objects: a million jobs must fit. */
export class JobTable {
  readonly #entries: (Entry | undefined)[] = []
  readonly #free: number[] = []
  #through = new Float64Array(FIRST_SIZE)
  #firstSeen = new Float64Array(FIRST_SIZE)
  #seq = new Float64Array(FIRST_SIZE)
  /** Holds an entry only while windows overlap. */
  readonly #above = new Map<number, readonly number[]>()
  /** Holds an entry only after periods were passed over, or after a clock that was ahead. */
  readonly #ranges = new Map<number, Pick<Handled, 'ranges' | 'swept'>>()

  get size(): number {
    return this.#entries.length - this.#free.length
  }

  /** Every slot is below this number. */
  get end(): number {
    return this.#entries.length
  }

  *slots(): Generator<number> {
    for (let slot = 0; slot < this.#entries.length; slot++) if (this.#entries[slot] !== undefined) yield slot
  }

  entry(slot: number): Entry | undefined {
    return this.#entries[slot]
  }

  /** Takes a job in, with the periods that are handled and the number of its last state event. */
  add(entry: Entry, handled: Handled, seq: number): number {
    const slot = this.#free.pop() ?? this.#entries.length
    this.#grow(slot + 1)
    this.#entries[slot] = entry
    this.#seq[slot] = seq
    this.setHandled(slot, handled)
    return slot
  }

  /** A new definition of the same job. */
  replace(slot: number, entry: Entry): void {
    this.#entries[slot] = entry
  }

  /** The job is no longer defined; it keeps its slot until `release`. */
  retire(slot: number): void {
    this.#entries[slot] = undefined
  }

  release(slot: number): void {
    this.#above.delete(slot)
    this.#ranges.delete(slot)
    this.#free.push(slot)
  }

  handled(slot: number): Handled {
    return {
      through: this.#through[slot]!,
      above: this.#above.get(slot) ?? NONE,
      firstSeen: this.#firstSeen[slot]!,
      ...this.#ranges.get(slot),
    }
  }

  setHandled(slot: number, handled: Handled): void {
    this.#through[slot] = handled.through
    this.#firstSeen[slot] = handled.firstSeen
    if (handled.above.length > 0) this.#above.set(slot, handled.above)
    else this.#above.delete(slot)
    const { ranges, swept } = handled
    if (ranges || swept) this.#ranges.set(slot, { ...(ranges && { ranges }), ...(swept && { swept }) })
    else this.#ranges.delete(slot)
  }

  /** The number of the job's last state event. */
  lastSeq(slot: number): number {
    return this.#seq[slot]!
  }

  /** The number of the job's next state event. */
  nextSeq(slot: number): number {
    this.#seq[slot]! += 1
    return this.#seq[slot]!
  }

  #grow(size: number): void {
    if (size <= this.#through.length) return
    const larger = (old: Float64Array): Float64Array<ArrayBuffer> => {
      const column = new Float64Array(Math.max(size, old.length * 2))
      column.set(old)
      return column
    }
    this.#through = larger(this.#through)
    this.#firstSeen = larger(this.#firstSeen)
    this.#seq = larger(this.#seq)
  }
}
