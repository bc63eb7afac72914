const ABSENT = -1
const SMALLEST = 16

/**
 * Which slot is due first: a 4-ary heap of slot numbers (jobs, tasks, timers) in typed arrays, 16 bytes a slot.
 * Equal instants come out in the order of their slots.
 */
export class DueQueue {
  #size = 0
  #heap: Uint32Array
  #position: Int32Array
  #at: Float64Array

  constructor(capacity = SMALLEST) {
    const room = Math.max(SMALLEST, capacity)
    this.#heap = new Uint32Array(room)
    this.#position = new Int32Array(room).fill(ABSENT)
    this.#at = new Float64Array(room)
  }

  get size(): number {
    return this.#size
  }

  has(slot: number): boolean {
    return slot < this.#position.length && this.#position[slot] !== ABSENT
  }

  at(slot: number): number | undefined {
    return this.has(slot) ? this.#at[slot] : undefined
  }

  /** The slot that is due first. */
  peek(): number | undefined {
    return this.#size === 0 ? undefined : this.#heap[0]
  }

  /** When the first slot is due. */
  nextAt(): number | undefined {
    return this.#size === 0 ? undefined : this.#at[this.#heap[0]!]
  }

  /** Inserts the slot, or moves it to another instant. */
  set(slot: number, at: number): void {
    if (!Number.isInteger(slot) || slot < 0)
      throw new RangeError(`slot must be a natural number, got ${slot}`)
    if (Number.isNaN(at)) throw new RangeError(`slot ${slot} needs an instant, got NaN`)
    if (slot >= this.#position.length) this.#grow(slot + 1)
    this.#at[slot] = at
    const position = this.#position[slot]!
    if (position === ABSENT) this.#rise(this.#size++, slot)
    else this.#reorder(position, slot)
  }

  remove(slot: number): boolean {
    if (!this.has(slot)) return false
    const position = this.#position[slot]!
    this.#position[slot] = ABSENT
    const last = this.#heap[--this.#size]!
    if (last !== slot) this.#reorder(position, last)
    return true
  }

  /** Removes and returns the first slot if it is due at `now`. */
  popDue(now: number): number | undefined {
    if (this.#size === 0) return undefined
    const slot = this.#heap[0]!
    if (this.#at[slot]! > now) return undefined
    this.remove(slot)
    return slot
  }

  /**
   * Removes the slots that are due at `now`, at most so many, and returns them in no certain order.
   * For many at once this costs a tenth of popping them one by one.
   */
  takeDue(now: number, most: number): number[] {
    const slots = this.#dueSlots(now, most)
    // Below this it is cheaper to mend the heap after each removal than to build it anew.
    if (slots.length * 8 < this.#size) for (const slot of slots) this.remove(slot)
    else if (slots.length === this.#size) this.clear()
    else this.#removeAll(slots)
    return slots
  }

  /** The instant of a slot, or the last one it had if it was removed. The slot must have been in the queue. */
  lastAt(slot: number): number {
    return this.#at[slot]!
  }

  clear(): void {
    this.#position.fill(ABSENT)
    this.#size = 0
  }

  /** Below a slot that is not due none is due, so only due slots and their children are looked at. */
  #dueSlots(now: number, most: number): number[] {
    // First the positions of the due slots. A slot takes the place of its position at the end.
    const due: number[] = []
    if (most > 0 && this.#isDue(0, now)) due.push(0)
    for (let next = 0; next < due.length; next++) {
      const first = 4 * due[next]! + 1
      for (let child = first; child < first + 4 && due.length < most; child++)
        if (this.#isDue(child, now)) due.push(child)
    }
    for (let index = 0; index < due.length; index++) due[index] = this.#heap[due[index]!]!
    return due
  }

  #isDue(position: number, now: number): boolean {
    return position < this.#size && this.#at[this.#heap[position]!]! <= now
  }

  #removeAll(slots: readonly number[]): void {
    for (const slot of slots) this.#position[slot] = ABSENT
    let kept = 0
    for (let position = 0; position < this.#size; position++) {
      const slot = this.#heap[position]!
      if (this.#position[slot] !== ABSENT) this.#place(kept++, slot)
    }
    this.#size = kept
    for (let position = (kept - 2) >> 2; position >= 0; position--)
      this.#sink(position, this.#heap[position]!)
  }

  #before(one: number, other: number): boolean {
    const difference = this.#at[one]! - this.#at[other]!
    // Two infinite instants differ by NaN and are a tie.
    return difference < 0 || (!(difference > 0) && one < other)
  }

  #reorder(position: number, slot: number): void {
    if (position > 0 && this.#before(slot, this.#heap[(position - 1) >> 2]!)) this.#rise(position, slot)
    else this.#sink(position, slot)
  }

  #rise(from: number, slot: number): void {
    let position = from
    while (position > 0) {
      const above = (position - 1) >> 2
      const parent = this.#heap[above]!
      if (!this.#before(slot, parent)) break
      this.#place(position, parent)
      position = above
    }
    this.#place(position, slot)
  }

  #sink(from: number, slot: number): void {
    let position = from
    for (;;) {
      const first = 4 * position + 1
      if (first >= this.#size) break
      const end = Math.min(first + 4, this.#size)
      let least = first
      for (let child = first + 1; child < end; child++) {
        if (this.#before(this.#heap[child]!, this.#heap[least]!)) least = child
      }
      const child = this.#heap[least]!
      if (!this.#before(child, slot)) break
      this.#place(position, child)
      position = least
    }
    this.#place(position, slot)
  }

  #place(position: number, slot: number): void {
    this.#heap[position] = slot
    this.#position[slot] = position
  }

  #grow(needed: number): void {
    const room = Math.max(needed, this.#position.length * 2)
    const heap = new Uint32Array(room)
    heap.set(this.#heap)
    const position = new Int32Array(room).fill(ABSENT)
    position.set(this.#position)
    const at = new Float64Array(room)
    at.set(this.#at)
    this.#heap = heap
    this.#position = position
    this.#at = at
  }
}
