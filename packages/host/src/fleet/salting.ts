import { hostname } from 'node:os'
import { expandSalt, type Parsed, parsed, type SaltPlace, type Schedule } from '@kron/core'
import type { Entry } from '../job-file/entry.ts'
import { ownMachineHash } from './machine-id.ts'

/** The host that this program runs on. */
export const thisPlace = (): SaltPlace => ({ host: hostname(), machine: ownMachineHash() })

/** Gives the jobs of one host the expanded salts for their seeds. */
export class Salting {
  readonly #place: SaltPlace
  /** The salt of jobs that have none of their own. */
  readonly #otherwise: string
  /** Jobs with equal schedules keep sharing one object. */
  readonly #known = new WeakMap<Schedule, Schedule>()

  constructor(place: SaltPlace, otherwise: string) {
    this.#place = place
    this.#otherwise = otherwise
  }

  /** The entry with its salt expanded; the same entry if nothing changes. */
  entry(entry: Entry): Parsed<Entry> {
    const schedule = this.#scheduleOf(entry.schedule)
    if (!schedule.ok) return schedule
    return parsed(schedule.value === entry.schedule ? entry : entry.withSchedule(schedule.value))
  }

  #scheduleOf(schedule: Schedule): Parsed<Schedule> {
    const known = this.#known.get(schedule)
    if (known !== undefined) return parsed(known)
    const salt = expandSalt(schedule.seed.salt === '' ? this.#otherwise : schedule.seed.salt, this.#place)
    if (!salt.ok) return salt
    const { seed } = schedule
    const salted =
      salt.value === seed.salt
        ? schedule
        : { ...schedule, seed: { strategy: seed.strategy, salt: salt.value } }
    this.#known.set(schedule, salted)
    return parsed(salted)
  }
}
