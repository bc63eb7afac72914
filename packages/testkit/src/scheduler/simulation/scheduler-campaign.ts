import type { Violation } from '../../../../scheduler/src/index.ts'
import type { StoreSabotage } from './disk-store.ts'
import { SchedulerHistory } from './scheduler-history.ts'
import type { SchedulerTally } from './scheduler-tally.ts'

/** Simulates one history of schedulers and compares it with the theory. */
export async function simulateScheduler(
  seed: number,
  span: number,
  sabotage?: StoreSabotage,
): Promise<{ readonly tally: SchedulerTally; readonly violation: Violation | undefined }> {
  const history = new SchedulerHistory(seed, sabotage)
  const violation = await history.live(span)
  return { tally: history.tally, violation }
}
