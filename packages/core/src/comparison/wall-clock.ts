/**
 * The time that a wall clock shows, asked of Intl every quarter of an hour: slow, and therefore independent of the
 * tables the engine searches. Minutes count from 1970, local ones as if the zone were UTC.
 */
export class WallClock {
  readonly #format: Intl.DateTimeFormat
  readonly #offsets = new Map<number, number>()

  static readonly #known = new Map<string, WallClock>()

  /** One a zone, so that what was asked once need not be asked again. */
  static of(zone: string): WallClock {
    const clock = WallClock.#known.get(zone) ?? new WallClock(zone)
    WallClock.#known.set(zone, clock)
    return clock
  }

  private constructor(zone: string) {
    this.#format = new Intl.DateTimeFormat('en-GB', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
    })
  }

  /** The local minute at a UTC minute. */
  at(minute: number): number {
    return minute + this.offsetAt(minute)
  }

  offsetAt(minute: number): number {
    const quarter = Math.floor(minute / 15)
    const known = this.#offsets.get(quarter)
    if (known !== undefined) return known
    const part: Record<string, number> = {}
    for (const { type, value } of this.#format.formatToParts(quarter * 900_000)) part[type] = Number(value)
    const local = Date.UTC(part['year']!, part['month']! - 1, part['day'], part['hour'], part['minute'])
    const offset = local / 60_000 - quarter * 15
    this.#offsets.set(quarter, offset)
    return offset
  }
}

export interface LocalDate {
  readonly year: number
  readonly month: number
  readonly day: number
  /** 0 = Sunday. */
  readonly weekday: number
}

export function dateOf(localMinute: number): LocalDate {
  const date = new Date(Math.floor(localMinute / 1440) * 86_400_000)
  return {
    year: date.getUTCFullYear(),
    month: date.getUTCMonth() + 1,
    day: date.getUTCDate(),
    weekday: date.getUTCDay(),
  }
}

/**
 * The first UTC minute after `minute` that must be looked at if its whole local day does not matter:
 * the next local midnight, or just the next minute when the clock changes before it.
 */
export function nextDay(clock: WallClock, minute: number): number {
  const local = clock.at(minute)
  const midnight = minute + 1440 - (((local % 1440) + 1440) % 1440)
  // One minute earlier, so that a change at midnight itself is seen.
  return clock.offsetAt(midnight) === clock.offsetAt(minute) && midnight - 1 > minute
    ? midnight - 1
    : minute + 1
}
