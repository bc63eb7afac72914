import { addStarts, type Starts } from './starts.ts'

/** Nothing is tried more often than this: what is left to gain by then is a start or two. */
const MOST_ROUNDS = 30

/**
 * Chooses one of the given starts for each job, so that the fullest bucket is as empty as can be found. `fixed` is the
 * load that nothing can move. Deterministic: the same starts give the same choice, and the first ones win ties.
 *
 * Jobs with the most starts are placed first, each where it hurts least; then each is moved to a better place as
 * long as there is one.
 */
export function chooseStarts(fixed: Uint32Array, jobs: readonly (readonly Starts[])[]): number[] {
  const load = Uint32Array.from(fixed)
  const chosen = jobs.map(() => 0)
  const order = jobs.map((_, i) => i).sort((a, b) => weightOf(jobs[b]![0]) - weightOf(jobs[a]![0]) || a - b)
  for (const i of order) {
    chosen[i] = best(load, jobs[i]!, 0)
    addStarts(load, jobs[i]![chosen[i]!]!)
  }
  for (let round = 0, moved = true; moved && round < MOST_ROUNDS; round++) {
    moved = false
    for (const i of order) {
      const starts = jobs[i]!
      addStarts(load, starts[chosen[i]!]!, -1)
      const choice = best(load, starts, chosen[i]!)
      if (choice !== chosen[i]) moved = true
      chosen[i] = choice
      addStarts(load, starts[choice]!)
    }
  }
  return chosen
}

const weightOf = (starts: Starts | undefined): number => {
  let sum = 0
  for (const count of starts?.counts ?? []) sum += count
  return sum
}

/** The starts that add least to the fullest bucket, and then least to the full ones; `present` wins a tie. */
function best(load: Uint32Array, candidates: readonly Starts[], present: number): number {
  let peak = 0
  for (let i = 0; i < load.length; i++) if (load[i]! > peak) peak = load[i]!
  let choice = present
  let [leastPeak, leastCost] = costOf(load, candidates[present]!, peak)
  for (let i = 0; i < candidates.length; i++) {
    if (i === present) continue
    const [nextPeak, cost] = costOf(load, candidates[i]!, peak)
    if (nextPeak > leastPeak || (nextPeak === leastPeak && cost >= leastCost)) continue
    choice = i
    leastPeak = nextPeak
    leastCost = cost
  }
  return choice
}

/** The peak with these starts, and what they add to the sum of the buckets' fourth powers, which full ones dominate. */
function costOf(load: Uint32Array, { buckets, counts }: Starts, peak: number): [peak: number, cost: number] {
  let highest = peak
  let cost = 0
  for (let i = 0; i < buckets.length; i++) {
    const before = load[buckets[i]!]!
    const after = before + counts[i]!
    if (after > highest) highest = after
    cost += (after * after + before * before) * (after * after - before * before)
  }
  return [highest, cost]
}
