import { readFileSync } from 'node:fs'

/** /proc/uptime has hundredths of a second, rounded down. */
const RESOLUTION_MS = 10

/**
 * CLOCK_BOOTTIME in milliseconds: it goes on in suspend and never steps. Node cannot read it, so this is the monotonic
 * clock plus an offset that only a suspend changes; /proc/uptime shows when that has happened.
 */
export class BootClock {
  #offsetMs: number
  readonly #uptimeMs: () => number
  readonly #monotonicMs: () => number

  constructor(
    offsetMs?: number,
    uptimeMs: () => number = readUptimeMs,
    monotonicMs: () => number = () => Number(process.hrtime.bigint()) / 1e6,
  ) {
    this.#uptimeMs = uptimeMs
    this.#monotonicMs = monotonicMs
    this.#offsetMs = offsetMs ?? uptimeMs() - monotonicMs()
  }

  nowMs(): number {
    const monotonic = this.#monotonicMs()
    const seen = this.#uptimeMs() - monotonic
    if (Math.abs(seen - this.#offsetMs) > 2 * RESOLUTION_MS) this.#offsetMs = seen
    return monotonic + this.#offsetMs
  }
}

const readUptimeMs = (): number => Number.parseFloat(readFileSync('/proc/uptime', 'latin1')) * 1_000
