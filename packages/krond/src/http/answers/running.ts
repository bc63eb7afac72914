import { printInstant } from '@kron/core'
import type { Subject } from '../subject.ts'

/** The executions that run now, and the starts that wait for a place. */
export function running({ running, loop }: Subject) {
  return {
    running: running.all().map(({ entry, periodId, chosenTime, startedAt, pid, id, adopted }) => ({
      job: entry.name,
      identity: entry.identity,
      periodId,
      chosenTime: chosenTime || null,
      startedAt: printInstant(Math.floor(startedAt / 1_000)),
      pid: pid === 0 ? null : pid,
      executionId: id,
      adopted,
    })),
    queue: loop.waiting.map(({ decision }) => ({
      identity: decision.job.identity,
      periodId: printInstant(decision.nominal),
    })),
  }
}
