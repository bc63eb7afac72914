import { nameOf } from '@kron/host'
import type { RunningRecord } from '@kron/host/api'
import type { Event } from '../log/event.ts'
import type { beginningOf } from '../log/make-event.ts'

export function runningRecord(
  { identity, periodId, user, chosenTime, startedAt, pid, executionId }: ReturnType<typeof beginningOf>,
  adopted: boolean,
): RunningRecord {
  const isManual = user !== undefined
  return {
    job: nameOf(identity),
    identity,
    trigger: isManual ? 'manual' : 'schedule',
    by: user ?? null,
    periodId: periodId || null,
    chosenTime: isManual ? null : chosenTime || null,
    startedAt,
    pid: pid === 0 ? null : pid,
    executionId,
    adopted,
  }
}

/** The run that begins with an event; undefined if none does. */
export const runningRecordOfEvent = (event: Event): RunningRecord | undefined =>
  event.event === 'started' || event.event === 'adopted'
    ? runningRecord(event, event.event === 'adopted')
    : undefined

/** The record with only the fields that everybody on this machine may read. */
export const publicRun = (record: RunningRecord): RunningRecord => ({ ...record, by: null })
