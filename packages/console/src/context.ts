import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import { localZone, type ZoneName } from './model/format.ts'
import { useWatched } from './model/watchers.ts'
import { World } from './model/world.ts'

export const WorldContext = createContext(new World())

/** The world, rendering again when it changes. */
export const useWorld = (): World => useWatched(useContext(WorldContext))

/** Times are shown in the reader's zone unless the address says UTC. */
export const zoneOf = (parameters: Readonly<Record<string, string>>): ZoneName =>
  parameters['zone'] === 'utc' ? 'UTC' : localZone()
