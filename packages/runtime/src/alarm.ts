import type { Clock, Timer } from './clock.ts'

export interface ClockJump {
  readonly kind: 'forward' | 'backward'
  /** By how many milliseconds the wall clock moved against monotonic time; always positive. */
  readonly by: number
}

export interface AlarmOptions {
  readonly clock: Clock
  /** Called once when the instant has come, never before it. The alarm is not set any more then. */
  readonly onDue: (now: number) => void
  /** Called before `onDue`, and may `set` the alarm anew. Suspend counts as a jump forward. */
  readonly onJump?: (jump: ClockJump) => void
}

/** A change against monotonic time of at least this many milliseconds is a jump; less is an ordinary adjustment. */
export const LEAST_JUMP_MS = 1_000

// The kernel may be late by a thousandth of a long timeout, so the last stretch is slept on its own.
const LAST_STRETCH = 250
// Any timer may be late by a millisecond or two: for so long the clock is watched.
const LAST_LOOK = 2
const LONGEST_SLEEP = 60_000

/** One wake-up at an instant of the wall clock, however far away and whatever the clock does meanwhile. */
export class Alarm {
  readonly #clock: Clock
  readonly #onDue: (now: number) => void
  readonly #onJump: ((jump: ClockJump) => void) | undefined
  #at: number | undefined
  #timer: Timer
  /** Wall minus monotonic time when last looked at, and when that was. */
  #drift = 0
  #lookedAt = Number.NEGATIVE_INFINITY

  constructor(options: AlarmOptions) {
    this.#clock = options.clock
    this.#onDue = options.onDue
    this.#onJump = options.onJump
  }

  /** When the alarm is due, if it is set. */
  get at(): number | undefined {
    return this.#at
  }

  /** Sets or moves the alarm; an instant that has passed is due at once, but never within this call. */
  set(at: number): void {
    if (Number.isNaN(at)) throw new RangeError('the alarm needs an instant, got NaN')
    if (this.#timer === undefined) this.#forgetStaleDrift()
    else if (at === this.#at && !this.#hasJumped()) return
    this.#at = at
    this.#arm()
  }

  clear(): void {
    this.#at = undefined
    this.#disarm()
  }

  #arm(): void {
    this.#disarm()
    // The caller used a clock that has jumped since. Report the jump now, before a second one hides it.
    const left = this.#hasJumped() ? 0 : this.#at! - this.#clock.now()
    this.#timer = this.#clock.setTimer(Math.max(0, Math.ceil(stretchOf(left))), () => this.#wake())
  }

  #disarm(): void {
    if (this.#timer !== undefined) this.#clock.clearTimer(this.#timer)
    this.#timer = undefined
  }

  #wake(): void {
    this.#timer = undefined
    const jump = this.#noticeJump()
    if (jump !== undefined) this.#onJump?.(jump)
    if (this.#at === undefined) return
    const now = this.#clock.now()
    if (now < this.#at) return this.#arm()
    this.#at = undefined
    this.#disarm()
    this.#onDue(now)
  }

  #noticeJump(): ClockJump | undefined {
    const moved = this.#moved()
    this.#look()
    if (Math.abs(moved) < LEAST_JUMP_MS) return undefined
    return { kind: moved > 0 ? 'forward' : 'backward', by: Math.abs(moved) }
  }

  #hasJumped(): boolean {
    return Math.abs(this.#moved()) >= LEAST_JUMP_MS
  }

  /** By how much the wall clock has moved against monotonic time since it was last looked at. */
  #moved(): number {
    const monotonic = this.#clock.monotonic?.()
    return monotonic === undefined ? 0 : this.#clock.now() - monotonic - this.#drift
  }

  #look(): void {
    const monotonic = this.#clock.monotonic?.()
    if (monotonic === undefined) return
    this.#lookedAt = monotonic
    this.#drift = this.#clock.now() - monotonic
  }

  /** While the alarm is not set nobody looks, and slow adjustment would add up to a false jump. */
  #forgetStaleDrift(): void {
    const monotonic = this.#clock.monotonic?.()
    if (monotonic !== undefined && monotonic - this.#lookedAt > 2 * LONGEST_SLEEP) this.#look()
  }
}

/** How much of what is left is slept next. */
function stretchOf(left: number): number {
  if (left > LAST_STRETCH) return Math.min(left - LAST_STRETCH, LONGEST_SLEEP)
  return left > LAST_LOOK ? left - LAST_LOOK : left
}
