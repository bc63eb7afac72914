import { civilFromDays, daysFromCivil, weekdayOfDays } from '../time/civil.ts'
import { printDate, printInstant } from '../time/instant.ts'
import type { Zone } from '../zone/zone.ts'
import { firstWords, type Hash } from './sha256.ts'
import { type Generator, generatorFrom } from './splitmix64.ts'

export type SeedStrategy = 'stable' | 'daily' | 'weekly'

export interface Seed {
  readonly strategy: SeedStrategy
  readonly salt: string
}

export const STABLE_SEED: Seed = { strategy: 'stable', salt: '' }

/** The period's part of the seed: its id, its local date, or its ISO week. */
export function periodKey(strategy: SeedStrategy, zone: Zone, nominal: number): string {
  if (strategy === 'stable') return printInstant(nominal)
  const days = Math.floor((nominal + zone.offsetAt(nominal)) / 86_400)
  return strategy === 'daily' ? printDate(days) : isoWeek(days)
}

/** `GGGG-Www`: a week belongs to the year of its Thursday. */
function isoWeek(days: number): string {
  const thursday = days + 4 - (weekdayOfDays(days) || 7)
  const { year } = civilFromDays(thursday)
  const week = 1 + Math.floor((thursday - daysFromCivil(year, 1, 1)) / 7)
  return `${year}-W${String(week).padStart(2, '0')}`
}

/** The text that is hashed to the seed hash. */
export const seedMaterial = (identity: string, key: string, salt: string): string =>
  `${identity}\n${key}\n${salt}`

/** The generator of a period, seeded with the first 8 bytes of its seed hash. */
export function seedGenerator(
  identity: string,
  { strategy, salt }: Seed,
  zone: Zone,
  nominal: number,
  hash?: Hash,
): Generator {
  if (hash !== undefined)
    return generatorFrom(hash(seedMaterial(identity, periodKey(strategy, zone, nominal), salt)))
  return firstWords(identity, strategy === 'stable' ? nominal : periodKey(strategy, zone, nominal), salt)
}
