import type { Clock, Timer } from '@kron/runtime'

/** A start that takes longer, as on a file system that hangs, no longer delays follow-up work. */
const LONGEST_START_MS = 2_000
/** Even if starts never stop, follow-up work waits no longer than this. */
const LONGEST_WAIT_MS = 2_000
/** At most this many pieces of follow-up work wait at a time. */
const MOST_WAITING = 1_024
/** Follow-up work done in one turn of the event loop; a start that comes meanwhile goes first again. */
const AT_ONCE = 64

/**
 * Starts come first: follow-up work (records of starts and ends, log lines, state files, HTTP answers, notifications,
 * heartbeats) waits while a start is under way. One object: `Daemon` alone calls `begin`, and follow-up work awaits
 * `idle`, which service/assembly.ts and commands/start.ts hand to the store, the HTTP service, notifications and the log.
 */
export class StartPriority {
  readonly #clock: Clock
  readonly #defer: (act: () => void) => void
  #underWay = 0
  #waiting: (() => void)[] = []
  #isReleasing = false
  /** Runs while follow-up work waits. */
  #patience: Timer | undefined
  /** Work has waited too long: all of it is done now, although starts are under way. */
  #isPatienceLost = false

  constructor(clock: Clock, defer: (act: () => void) => void = act => setImmediate(act)) {
    this.#clock = clock
    this.#defer = defer
  }

  /** A start begins, now or after this time; call the returned function when it is over. */
  begin(afterMs = 0): () => void {
    let isUnderWay = false
    const over = (): void => {
      this.#clock.clearTimer(timer)
      if (isUnderWay && --this.#underWay === 0) this.#release()
      isUnderWay = false
    }
    const count = (): void => {
      isUnderWay = true
      this.#underWay++
      timer = this.#clock.setTimer(LONGEST_START_MS, over)
    }
    let timer: Timer
    if (afterMs > 0) timer = this.#clock.setTimer(afterMs, count)
    else count()
    return over
  }

  /** Resolves when no start is under way, when too much work waits, or after `LONGEST_WAIT_MS`. */
  idle(): Promise<void> {
    if (this.#underWay === 0 && this.#waiting.length === 0) return Promise.resolve()
    return new Promise(resolve => {
      this.#waiting.push(resolve)
      this.#patience ??= this.#clock.setTimer(LONGEST_WAIT_MS, () => {
        this.#patience = undefined
        this.#isPatienceLost = true
        this.#release()
      })
      if (this.#waiting.length >= MOST_WAITING) this.#release()
    })
  }

  #release(): void {
    if (this.#isReleasing) return
    this.#isReleasing = true
    const step = (): void => {
      for (const go of this.#waiting.splice(0, AT_ONCE)) go()
      const isDone = this.#waiting.length === 0
      const mayWait = this.#underWay > 0 && this.#waiting.length < MOST_WAITING && !this.#isPatienceLost
      this.#isReleasing = !isDone && !mayWait
      if (isDone && this.#patience !== undefined) this.#clock.clearTimer(this.#patience)
      if (isDone) {
        this.#patience = undefined
        this.#isPatienceLost = false
      }
      if (this.#isReleasing) this.#defer(step)
    }
    step()
  }
}
