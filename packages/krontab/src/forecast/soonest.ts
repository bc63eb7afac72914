import type { ShowProgress } from '@kron/cli'
import { type Decision, type Job, triggerOf, upcoming } from '@kron/core'

/** The first `count` decisions of many jobs from an instant on; ties are ordered by identity, so that it is stable. */
export function soonest(
  jobs: readonly Job[],
  from: number,
  count: number,
  progress: ShowProgress = () => {},
): Decision[] {
  const best: Decision[] = []
  for (const [i, job] of jobs.entries()) {
    if (i % 1_024 === 0) progress(i, jobs.length)
    if (job.schedule.policy.suspend) continue
    for (const decision of upcoming(job, from)) {
      if (best.length === count && !isBefore(decision, best[count - 1]!)) break
      insert(best, decision)
      if (best.length > count) best.pop()
    }
  }
  return best
}

function isBefore(a: Decision, b: Decision): boolean {
  const [first, second] = [triggerOf(a), triggerOf(b)]
  if (first !== second) return first < second
  return a.job.identity === b.job.identity ? a.nominal < b.nominal : a.job.identity < b.job.identity
}

function insert(sorted: Decision[], decision: Decision): void {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (isBefore(decision, sorted[middle]!)) high = middle
    else low = middle + 1
  }
  sorted.splice(low, 0, decision)
}
