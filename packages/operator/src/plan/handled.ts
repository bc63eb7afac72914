import { type Handled, IncompatibleStateError, parseInstant, type Schedule, startOffset } from '@kron/core'
import { type KronJob, keyOf } from '../manifest/kronjob.ts'

/** The handled periods, from the status. A period whose window opened before the KronJob existed does not count. */
export function handledOf(kronJob: KronJob, schedule: Schedule): Handled {
  const read = (time: string): number => {
    const instant = parseInstant(time)
    if (instant.ok) return instant.value
    // A guessed watermark could run a period twice.
    throw new IncompatibleStateError(`the status of ${keyOf(kronJob)} holds a bad time: ${time}`, {
      component: 'operator',
      operation: 'read status',
      identity: keyOf(kronJob),
    })
  }
  const created = read(kronJob.metadata.creationTimestamp)
  const before = created - startOffset(schedule.window) - 1
  const { handledThrough, handledPeriods = [] } = kronJob.status ?? {}
  return {
    through: handledThrough === undefined ? before : Math.max(before, read(handledThrough)),
    above: handledPeriods.map(read),
    firstSeen: created,
  }
}
