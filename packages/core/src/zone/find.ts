import { suggest } from '../error/suggest.ts'
import { ianaSpelling } from './name.ts'
import { offsetReader, runtimeName, runtimeZoneData } from './offset.ts'
import { UTC, Zone } from './zone.ts'

/** Finds zones by their names. An adapter with tables of its own brings one; `findZone` knows those of the runtime. */
export type ZoneFinder = (name: string) => Zone | undefined

// Memo of a pure function, so that all jobs of a zone share one table; only real names enter, so it stays small.
const found = new Map<string, Zone>()

/** The zone of an IANA name in its exact spelling, by the runtime's own data. */
export function findZone(name: string): Zone | undefined {
  const known = found.get(name)
  if (known) return known
  const zone = ianaSpelling(name) === name ? makeZone(name) : undefined
  if (zone) found.set(name, zone)
  return zone
}

function makeZone(name: string): Zone | undefined {
  if (name === 'UTC') return UTC
  const read = offsetReader(name)
  return read && new Zone(name, read, runtimeZoneData())
}

/** The name probably meant by one that is not found: by its letters, by its city, or by an old abbreviation. */
export function suggestZone(name: string, find: ZoneFinder = findZone): string | undefined {
  const tidy = name.trim().replaceAll(' ', '_')
  const spelt = ianaSpelling(tidy)
  if (spelt && find(spelt)) return spelt
  const meant = zonesByCity().get(lettersOf(tidy)) ?? runtimeName(tidy) ?? suggest(tidy, runtimeZones())
  return meant && find(meant) && meant
}

// A memo too: the runtime takes milliseconds to list its zones.
let cities: ReadonlyMap<string, string> | undefined

/** Zones by the letters of their names and of their cities: people forget the underscore of New_York. */
function zonesByCity(): ReadonlyMap<string, string> {
  cities ??= new Map(
    runtimeZones().flatMap(name => [
      [lettersOf(name.slice(name.lastIndexOf('/') + 1)), name],
      [lettersOf(name), name],
    ]),
  )
  return cities
}

const lettersOf = (name: string): string => name.toLowerCase().replaceAll(/[^a-z]/g, '')

const runtimeZones = (): readonly string[] => Intl.supportedValuesOf('timeZone')
