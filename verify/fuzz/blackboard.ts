/** The place of a worker that is still loading. */
export const NOT_BEGUN = '0.0'

const SLOTS = 256
const CHARACTERS = 1 << 20
const CURRENT = 0
const ROUND = 1

/**
 * The inputs of a worker's next round, where the watchdog can read them while the worker hangs. A round of inputs is written
 * at once: that costs next to nothing.
 */
export class Blackboard {
  readonly memory: SharedArrayBuffer
  readonly #head: Int32Array
  readonly #text: Buffer

  constructor(memory = new SharedArrayBuffer(4 * (2 + SLOTS) + 2 * CHARACTERS)) {
    this.memory = memory
    this.#head = new Int32Array(memory, 0, 2 + SLOTS)
    this.#text = Buffer.from(memory, 4 * (2 + SLOTS))
  }

  write(inputs: readonly string[]): void {
    this.#text.write(inputs.join(''), 'utf16le')
    let end = 0
    for (const [index, input] of inputs.entries()) {
      end += input.length
      this.#head[2 + index] = end
    }
    this.#head[ROUND]!++
    this.#head[CURRENT] = 0
  }

  /** Tells which input of the round is next. */
  point(index: number): void {
    this.#head[CURRENT] = index
  }

  /** Changes whenever the worker gets on. */
  get place(): string {
    return `${Atomics.load(this.#head, ROUND)}.${Atomics.load(this.#head, CURRENT)}`
  }

  get input(): string {
    const index = Atomics.load(this.#head, CURRENT)
    const start = index === 0 ? 0 : this.#head[1 + index]!
    return this.#text.toString('utf16le', start * 2, this.#head[2 + index]! * 2)
  }
}

/** Inputs in a round: fewer where they are long. */
export const roundOf = (longest: number): number => Math.min(SLOTS, Math.floor(CHARACTERS / longest))
