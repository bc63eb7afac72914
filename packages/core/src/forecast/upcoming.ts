import { next } from '../cron/search.ts'
import { type Decision, decide, triggerOf } from '../decision/decision.ts'
import type { Job } from '../schedule/schedule.ts'
import { endOffset, startOffset } from '../schedule/window.ts'
import type { Hash } from '../seed/sha256.ts'

/** A job's decisions in the order in which they ask for attention, from an instant on, without end. */
export function* upcoming(job: Job, from: number, hash?: Hash): Generator<Decision, void, void> {
  const { cron, zone, window } = job.schedule
  const lead = startOffset(window)
  const open: Decision[] = []
  let nominal = next(cron, zone, from - endOffset(window) - 1)
  while (open.length > 0 || nominal !== undefined) {
    // A period may be yielded once no later one can come before it.
    while (nominal !== undefined && (open.length === 0 || nominal + lead <= triggerOf(open[0]!))) {
      const decision = decide(job, nominal, hash)
      if (triggerOf(decision) >= from) insert(open, decision)
      nominal = next(cron, zone, nominal)
    }
    const first = open.shift()
    if (first !== undefined) yield first
  }
}

/** The first `most` of them. */
export function nextDecisions(job: Job, from: number, most: number): Decision[] {
  const found: Decision[] = []
  for (const decision of upcoming(job, from)) {
    found.push(decision)
    if (found.length === most) break
  }
  return found
}

function insert(sorted: Decision[], decision: Decision): void {
  let at = sorted.length
  while (at > 0 && triggerOf(sorted[at - 1]!) > triggerOf(decision)) at--
  sorted.splice(at, 0, decision)
}
