import { Chance } from '../../chance.ts'
import type { FaultKind } from './tally.ts'
import type { Behaviour } from './virtual-processes.ts'

/** The random behaviour of a start; `count` is called if the start goes wrong. */
export function randomBehaviour(chance: Chance, count: (kind: FaultKind) => void): Behaviour {
  if (chance.happens(0.03)) {
    count('startRefused')
    return 'refuse'
  }
  if (chance.happens(0.02)) {
    count('startLost')
    return 'lose'
  }
  const ignoresSignals = chance.happens(0.01)
  if (ignoresSignals) count('survivesKill')
  const hangs = chance.happens(0.005)
  if (hangs) count('hang')
  const lives = hangs ? Number.POSITIVE_INFINITY : chance.pick([50, 1_000, 30_000, 400_000, 4_000_000])
  return { lives, exitCode: chance.pick([0, 0, 1]), ignoresSignals }
}

/** Longer than any process needs to end, in ms. */
export const LONGEST_LINGERING = 20_000

/** How long each process takes to end when it is told to. Chance of its own: the histories of old seeds stay what they were. */
export function randomLingering(seed: number): () => number {
  const chance = new Chance(seed + 1e9)
  return () => (chance.happens(0.5) ? 0 : chance.between(1, LONGEST_LINGERING))
}
