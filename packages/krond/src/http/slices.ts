import { Refusal } from './refusal.ts'

/** Work that says by `yield` where it may pause. */
export type Work<T> = Generator<void, T, void>

interface Task {
  /** True when the work is over. */
  readonly advance: (until: number) => boolean
}

const SLICE_MS = 3
const MOST_TASKS = 64

/** Does work for requests a few milliseconds per turn of the event loop, in turns, so that no start waits for it. */
export class Slices {
  private readonly tasks: Task[] = []

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
          } while (performance.now() < until)
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

  private turn(): void {
    const task = this.tasks[0]!
    const over = task.advance(performance.now() + SLICE_MS)
    this.tasks.shift()
    if (!over) this.tasks.push(task)
    if (this.tasks.length > 0) setImmediate(() => this.turn())
  }
}
