import { useEffect, useState } from 'preact/hooks'
import type { World } from './world.ts'

/** The daemon's clock, in epoch seconds; renders again once a second. */
export function useSecond(world: World): number {
  const [now, setNow] = useState(world.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(world.now()), 1_000)
    return () => clearInterval(timer)
  }, [world])
  return now
}
