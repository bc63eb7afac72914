import type { ClockSettings } from '@kron/testkit/krond/blackbox/shifted-clock'

const MINUTE = 60_000
/** The daemons' clocks run so much faster that a minute takes four seconds. */
const SPEED = 15
const NOON = Date.parse('2026-03-01T12:00:00Z')

/**
 * Clocks of daemons that run beside each other: each daemon has its full minutes at another time, so that no two of them
 * start jobs together.
 */
export class Slots {
  readonly #epoch = Date.now()
  readonly #count: number

  constructor(count: number) {
    this.#count = count
  }

  clock(slot: number, stepFile: string): ClockSettings {
    return { epoch: this.#epoch, start: NOON - (slot * MINUTE) / this.#count, speed: SPEED, stepFile }
  }

  /** The real time, in epoch milliseconds, at which the minute with this number is due. */
  dueAt(slot: number, minute: number): number {
    return this.#epoch + ((minute + slot / this.#count) * MINUTE) / SPEED
  }

  /** The minute's period, as jobs are told it. */
  periodOf(minute: number): string {
    return new Date(NOON + minute * MINUTE).toISOString().replace('.000', '')
  }
}
