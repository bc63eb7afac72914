import { Refusal } from './refusal.ts'

/** Work that says by `yield` where it may pause. */
export type Work<T> = Generator<void, T, void>

/** Milliseconds, of the epoch and of whatever never jumps. */
export interface SliceClock {
  readonly wall: () => number
  readonly elapsed: () => number
}

interface Task {
  /** True when the work is over. */
  readonly advance: (until: number) => boolean
}

const SLICE_MS = 2
const MOST_TASKS = 64
/** No slice begins that could reach into the next second: on it starts are due. */
const LEAD_MS = 4
/** How long a start may take before work goes on beside it, and how long many starts may. */
const START_MS = 15
const STARTS_MS = 60

/**
 * Does work for requests a few milliseconds per turn of the event loop, in turns, and none while something starts: each
 * step of a start comes back through the event loop, and would wait for a slice.
 */
export class Slices {
  private readonly tasks: Task[] = []
  private readonly clock: SliceClock
  private starting = 0
  private heldSince = 0
  private heldUntil = 0

  constructor(clock: SliceClock = { wall: Date.now, elapsed: () => performance.now() }) {
    this.clock = clock
  }

  run<T>(work: Work<T>): Promise<T> {
    if (this.tasks.length >= MOST_TASKS)
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
          } while (this.clock.elapsed() < until)
          return false
        } catch (error) {
          reject(error)
          return true
        }
      }
      this.tasks.push({ advance })
      if (this.tasks.length === 1) setImmediate(() => this.turn())
    })
  }

  /** Something is about to start. */
  startBegan(): void {
    const now = this.clock.elapsed()
    if (now >= this.heldUntil) {
      this.starting = 0
      this.heldSince = now
    }
    this.starting++
    this.heldUntil = Math.min(now + START_MS, this.heldSince + STARTS_MS)
  }

  startEnded(): void {
    if (--this.starting <= 0) this.heldUntil = 0
  }

  private turn(): void {
    const pause = this.pause()
    if (pause > 0) return void setTimeout(() => this.turn(), pause)
    const task = this.tasks[0]!
    const over = task.advance(this.clock.elapsed() + SLICE_MS)
    this.tasks.shift()
    if (!over) this.tasks.push(task)
    if (this.tasks.length > 0) setImmediate(() => this.turn())
  }

  /** Milliseconds for which the event loop is left to what starts, or is about to. */
  private pause(): number {
    const held = this.heldUntil - this.clock.elapsed()
    if (held > 0) return Math.min(2, Math.ceil(held))
    const left = 1_000 - (this.clock.wall() % 1_000)
    return left < LEAD_MS ? Math.ceil(left) : 0
  }
}
