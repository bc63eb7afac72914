import { OUTCOME_STYLES, type OutcomeKind } from '@kron/core'
import type { JobRecord, PauseRecord } from '../api/records.ts'
import { secondsOf } from './instant.ts'
import type { World } from './world.ts'

/** The current state of a job: one word for a table, a page and a filter. */
export type JobState = 'running' | 'paused' | 'suspended' | 'failing' | 'waiting' | 'new'

/** The kinds of outcomes that need a person's attention. */
export const isTrouble = (kind: OutcomeKind): boolean =>
  OUTCOME_STYLES[kind].tone === 'bad' || OUTCOME_STYLES[kind].tone === 'warning'

export function jobState(world: World, job: JobRecord): JobState {
  if (world.isRunning(job.identity)) return 'running'
  if (isInForce(job.pause, world.now())) return 'paused'
  if (job.suspended) return 'suspended'
  const last = world.lastOf(job)
  if (last === null) return 'new'
  return isTrouble(last.kind) ? 'failing' : 'waiting'
}

/** Whether a pause holds at a time, and so costs a start at that time. */
export const isInForce = (pause: PauseRecord | null, at: number): boolean =>
  pause !== null &&
  (secondsOf(pause.from) ?? 0) <= at &&
  (pause.until === null || (secondsOf(pause.until) ?? 0) > at)
