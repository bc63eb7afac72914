import { Refusal } from './refusal.ts'

/** Work that uses `yield` to mark where it may pause. */
export type Work<T> = Generator<void, T, void>

/** Milliseconds: of the epoch, and of a clock that never jumps. */
export interface SliceClock {
  readonly wall: () => number
  readonly elapsed: () => number
}

interface Task {
  /** True when the work is over. */
  readonly advance: (until: number) => boolean
}

const SLICE_MS = 2
const MOST_TASKS = 128
/** The rest after a whole slice. If krond never slept, a busy system would wake it late, and the next start would be late. */
const REST_MS = 1
/** No slice begins so late that it could reach into the next second, when starts are due. */
const LEAD_MS = 4

/**
 * Does work for requests a slice at a time, in turns, with rests between them. `idle` resolves when no start is under way:
 * each step of a start comes back through the event loop, and would wait for a slice.
 */
export class Slices {
  readonly #tasks: Task[] = []
  readonly #clock: SliceClock
  readonly #idle: () => Promise<void>
  #restUntil = 0

  constructor(
    idle: () => Promise<void> = () => Promise.resolve(),
    clock: SliceClock = { wall: Date.now, elapsed: () => performance.now() },
  ) {
    this.#idle = idle
    this.#clock = clock
  }

  run<T>(work: Work<T>): Promise<T> {
    if (this.#tasks.length >= MOST_TASKS)
      return Promise.reject(new Refusal(503, 'too many requests are being answered', 'try again in a second'))
    return new Promise((resolve, reject) => {
      const advance = (until: number): boolean => {
        try {
          do {
            const { done, value } = work.next()
            if (done) {
              resolve(value)
              return true
            }
          } while (this.#clock.elapsed() < until)
          return false
        } catch (error) {
          reject(error)
          return true
        }
      }
      this.#tasks.push({ advance })
      if (this.#tasks.length === 1) this.#turnSoon()
    })
  }

  #turnSoon(): void {
    const pause = this.#pause()
    const goOn = (): void => void this.#idle().then(() => this.#turn())
    if (pause > 0) setTimeout(goOn, pause)
    else setImmediate(goOn)
  }

  #turn(): void {
    if (this.#pause() > 0) return this.#turnSoon()
    const until = this.#clock.elapsed() + SLICE_MS
    const task = this.#tasks[0]!
    const over = task.advance(until)
    this.#tasks.shift()
    if (!over) this.#tasks.push(task)
    if (this.#clock.elapsed() >= until) this.#restUntil = this.#clock.elapsed() + REST_MS
    if (this.#tasks.length > 0) this.#turnSoon()
  }

  /** Milliseconds for which the event loop is left free for starts that are about to be due, or for a rest. */
  #pause(): number {
    const now = this.#clock.elapsed()
    const left = 1_000 - (this.#clock.wall() % 1_000)
    return Math.ceil(Math.max(left < LEAD_MS ? left : 0, this.#restUntil - now))
  }
}
