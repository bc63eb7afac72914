import { DEFAULTS, parseScheduleHead, type Schedule, type ScheduleHead, type ZoneFinder } from '@kron/core'
import { hostZones } from '../zone/host-zones.ts'
import { DEFAULT_SETTINGS, type Settings } from './entry.ts'
import { flat } from './flat.ts'

/** Enough for all repeated schedules, and little compared to a million jobs. */
const MOST = 20_000

/** Lets jobs share one object for equal parts, so that a job needs little memory and no schedule is parsed twice. */
export class Sharing {
  readonly #schedules = new Map<string, Schedule>()
  readonly #parts = new Map<string, object>()
  readonly #findZone: ZoneFinder

  /** Zones are those of this host, unless others are given. */
  constructor(findZone: ZoneFinder = hostZones().find) {
    this.#findZone = findZone
  }

  /** The schedule at the start of a line, with its faults. */
  head(text: string): ScheduleHead {
    return parseScheduleHead(text, undefined, this.#findZone)
  }

  /** The schedule of a text that holds only a schedule; undefined otherwise, or if it has faults. */
  schedule(head: string): Schedule | undefined {
    const known = this.#schedules.get(head)
    if (known !== undefined) return known
    const text = flat(head)
    const { schedule, end } = this.head(text)
    if (schedule === undefined || end < text.length) return undefined
    const shared = this.whole(schedule)
    if (this.#schedules.size < MOST) this.#schedules.set(text, shared)
    return shared
  }

  settings(settings: Settings): Settings {
    return this.#part(settings, DEFAULT_SETTINGS)
  }

  /** The same schedule with its parts shared. */
  whole({ cron, zone, window, distribution, seed, policy, constraints }: Schedule): Schedule {
    return {
      cron: this.#part(cron),
      zone,
      window: this.#part(window, DEFAULTS.window),
      distribution: this.#part(distribution, DEFAULTS.distribution),
      seed: this.#part(seed, DEFAULTS.seed),
      policy: this.#part(policy, DEFAULTS.policy),
      constraints: this.#part(constraints, DEFAULTS.constraints),
    }
  }

  #part<T extends object>(part: T, fallback?: T): T {
    if (part === fallback) return part
    const key = JSON.stringify(part)
    const known = this.#parts.get(key)
    if (known !== undefined) return known as T
    if (this.#parts.size < MOST) this.#parts.set(key, part)
    return part
  }
}
