import { readFileSync } from 'node:fs'

/** /proc/uptime has hundredths of a second, rounded down. */
const RESOLUTION_MS = 10
/** The offset is checked at least this often, by the monotonic clock. */
const CHECK_MS = 1_000

/** The clocks of the machine, in milliseconds. */
export interface BootClockSources {
  readonly uptimeMs: () => number
  readonly monotonicMs: () => number
  readonly wallMs: () => number
}

/**
 * CLOCK_BOOTTIME in milliseconds: it goes on in suspend and never steps. Node cannot read it, so this is the monotonic
 * clock plus an offset that only a suspend changes. /proc/uptime shows a suspend, but reading it costs more than a start's
 * decision. So `nowMs` reads it only if the last reading is a second old, or if the wall clock has moved against the
 * monotonic clock since, as it does in a suspend. After a suspend this clock is up to a hundredth of a second ahead, never
 * behind: nothing that waits for it begins too early.
 */
export class BootClock {
  readonly #sources: BootClockSources
  #offsetMs: number
  /** When the offset was checked, and the wall time minus the monotonic time then. */
  #checkedAt = Number.NEGATIVE_INFINITY
  #drift = 0

  constructor(offsetMs?: number, sources: BootClockSources = SYSTEM) {
    this.#sources = sources
    this.#offsetMs = offsetMs ?? sources.uptimeMs() - sources.monotonicMs()
  }

  nowMs(): number {
    const monotonic = this.#sources.monotonicMs()
    const drift = this.#sources.wallMs() - monotonic
    const isFresh = monotonic - this.#checkedAt < CHECK_MS && Math.abs(drift - this.#drift) < RESOLUTION_MS
    if (!isFresh) {
      this.#checkedAt = monotonic
      this.#drift = drift
      const seen = this.#sources.uptimeMs() - monotonic
      if (Math.abs(seen - this.#offsetMs) > 2 * RESOLUTION_MS) this.#offsetMs = seen + RESOLUTION_MS
    }
    return monotonic + this.#offsetMs
  }
}

/**
 * Both read CLOCK_MONOTONIC; `performance` makes no garbage, `hrtime` tells the time since boot. `performance` is read
 * first: a pause between the two makes the result late, never early.
 */
const MONOTONIC_BASE_MS = -performance.now() + Number(process.hrtime.bigint()) / 1e6

const SYSTEM: BootClockSources = {
  uptimeMs: () => Number.parseFloat(readFileSync('/proc/uptime', 'latin1')) * 1_000,
  monotonicMs: () => MONOTONIC_BASE_MS + performance.now(),
  wallMs: () => Date.now(),
}
