import type { Violation } from '../index.ts'
import type { StoreSabotage } from './disk-store.test-support.ts'
import { SchedulerHistory } from './scheduler-history.test-support.ts'
import type { SchedulerTally } from './scheduler-tally.test-support.ts'

/** Lives through one history of schedulers and holds it against the theory. */
export async function simulateScheduler(
  seed: number,
  span: number,
  sabotage?: StoreSabotage,
): Promise<{ readonly tally: SchedulerTally; readonly violation: Violation | undefined }> {
  const history = new SchedulerHistory(seed, sabotage)
  const violation = await history.live(span)
  return { tally: history.tally, violation }
}
