import type { SchedulerClock } from '../clock/system-clock.ts'
import { FARTHEST_AHEAD } from '../task/clamp.ts'

const MINUTE = 60_000

/** A change of the clock other than the normal passing of time. */
export interface ClockChange {
  /** Whether the clock was set back so far that its earlier times must be forgotten. */
  readonly setBack: boolean
  readonly zone: string
}

/** Checks the clock and its zone once a minute. */
export class ClockWatch {
  readonly #clock: SchedulerClock
  #latest: number
  #minute: number
  #zone: string

  /** `latest` is the latest instant that the clock is known to have shown. */
  constructor(clock: SchedulerClock, latest: number) {
    const now = clock.now()
    this.#clock = clock
    this.#latest = Math.max(now, latest)
    this.#minute = Math.floor(now / MINUTE)
    this.#zone = clock.timeZone()
  }

  look(now: number): ClockChange | undefined {
    const minute = Math.floor(now / MINUTE)
    if (minute === this.#minute) return undefined
    this.#minute = minute
    const setBack = this.#latest - now > FARTHEST_AHEAD
    this.#latest = setBack ? now : Math.max(this.#latest, now)
    const zone = this.#clock.timeZone()
    if (!setBack && zone === this.#zone) return undefined
    this.#zone = zone
    return { setBack, zone }
  }
}
