import { createContext } from 'preact'
import { useContext, useEffect, useReducer } from 'preact/hooks'
import { localZone, type ZoneName } from './model/format.ts'
import { World } from './model/world.ts'

export const WorldContext = createContext(new World())

/** The world, rendering again when it changes. */
export function useWorld(): World {
  const world = useContext(WorldContext)
  const [, render] = useReducer((n: number) => n + 1, 0)
  useEffect(() => world.watch(() => render(undefined)), [world])
  return world
}

/** Times are shown in the reader's zone unless the address says UTC. */
export const zoneOf = (parameters: Readonly<Record<string, string>>): ZoneName =>
  parameters['zone'] === 'utc' ? 'UTC' : localZone()
