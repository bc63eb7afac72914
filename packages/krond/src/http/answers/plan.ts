import { type Decision, type Job, LATEST, printInstant, triggerOf, upcoming } from '@kron/core'
import type { Viewer } from '../../api/viewer.ts'
import { nativeHash } from '../../native-hash.ts'
import type { Query } from '../query.ts'
import type { Work } from '../slices.ts'
import { findJob, type Subject } from '../subject.ts'

/** The next periods of one job or of all, in the order in which they ask for attention. */
export function* plan(subject: Subject, query: Query, viewer: Viewer): Work<object> {
  const count = query.count('count', 1, 200, 20)
  const from = Math.min(LATEST, query.instant('from') ?? subject.now())
  const identity = query.text('job')
  const decisions =
    identity === undefined
      ? yield* soonest(subject, from, count)
      : yield* first((yield* findJob(subject, identity, viewer)).entry, from, count, LATEST)
  return { from: printInstant(from), periods: decisions.map(periodRecord) }
}

export const periodRecord = (decision: Decision) => ({
  identity: decision.job.identity,
  periodId: printInstant(decision.nominal),
  windowStart: printInstant(decision.windowStart),
  windowEnd: printInstant(decision.windowEnd),
  chosenTime: decision.chosen === null ? null : printInstant(decision.chosen),
})

function* first(job: Job, from: number, count: number, until: number): Work<Decision[]> {
  const decisions: Decision[] = []
  for (const decision of upcoming(job, from, nativeHash)) {
    if (triggerOf(decision) > until) break
    decisions.push(decision)
    if (decisions.length === count) break
    yield
  }
  return decisions
}

/** Only jobs whose own next period is among the first `count` can have any of them. */
export function* soonest(subject: Subject, from: number, count: number): Work<Decision[]> {
  const { jobs } = subject
  let best: Decision[] = []
  for (const slot of jobs.slots()) {
    const entry = jobs.entry(slot)!
    const latest = best.length < count ? LATEST : triggerOf(best[count - 1]!)
    const known = subject.driver.nextTrigger(slot)
    const worthIt = from < subject.now() || known === undefined || known <= latest
    if (!entry.schedule.policy.suspend && worthIt) {
      const own = yield* first(entry, from, count, latest)
      if (own.length > 0) best = [...best, ...own].sort(inOrder).slice(0, count)
    }
    if (slot % 64 === 0) yield
  }
  return best
}

const inOrder = (a: Decision, b: Decision): number =>
  triggerOf(a) - triggerOf(b) || (a.job.identity < b.job.identity ? -1 : 1)
