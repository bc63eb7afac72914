import { Chance } from '../../chance.ts'
import type { FaultKind } from './tally.ts'
import type { Behaviour } from './virtual-processes.ts'
import type { MessageFate } from './virtual-serve.ts'

/** A start that takes longer to reach serve would be late; the shim refuses those beyond their deadline. */
const LONGEST_REQUEST = 900
const LONGEST_ANSWER = 5_000
/** The longest of these answers take three times as long: longer than krond waits for the answer to `follow`. */
const VERY_LONG_ANSWER = 4_800

/** Random faults of the messages between a daemon and its serve. Chance of its own: other choices stay as they were. */
export function randomMessages(seed: number, count: (kind: FaultKind) => void): MessageFate {
  const chance = new Chance(seed + 2e9)
  const delay = (longest: number): number => {
    if (!chance.happens(0.1)) return 0
    count('messageDelayed')
    return chance.between(1, longest)
  }
  return {
    requestDelay: () => delay(LONGEST_REQUEST),
    answerDelay: () => {
      const ms = delay(LONGEST_ANSWER)
      return ms > VERY_LONG_ANSWER ? 3 * ms : ms
    },
    isDoubled: () => {
      const isDoubled = chance.happens(0.2)
      if (isDoubled) count('messageDoubled')
      return isDoubled
    },
    kill: () => {
      if (!chance.happens(0.01)) return undefined
      count('serveKilled')
      const when = chance.pick(['before', 'after'] as const)
      count(when === 'before' ? 'requestLost' : 'answerLost')
      return when
    },
  }
}

/** The same starts, whose shims are killed now and then: before the command, or while it runs. */
export function withShimDeaths(
  seed: number,
  behave: () => Behaviour,
  count: (kind: FaultKind) => void,
): () => Behaviour {
  const chance = new Chance(seed + 3e9)
  return () => {
    const behaviour = behave()
    if (typeof behaviour === 'string' || !chance.happens(0.03)) return behaviour
    count('shimKilled')
    if (chance.happens(0.3)) return 'loseBefore'
    const { lives } = behaviour
    const longest = Number.isFinite(lives) ? lives : 3_600_000
    return { ...behaviour, shimDiesAfter: chance.between(0, longest) }
  }
}
