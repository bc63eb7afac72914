import { type Scheduler, subscribe } from '../index.ts'
import type { Registration } from '../registration/registration.ts'

/**
 * Initializes a scheduler without blocking its server. Resolves when the scheduler is active or on standby. A standby
 * may still fail later; that failure goes to `onLateFailure`.
 */
export async function begin(
  scheduler: Scheduler,
  tasks: readonly Registration[],
  onLateFailure: (error: unknown) => void,
): Promise<void> {
  let isStopping = false
  const standing = new Promise<'standby'>(resolve => {
    subscribe(scheduler, ({ type }) => {
      if (type === 'standby') resolve('standby')
      if (type === 'SchedulerStopRequested') isStopping = true
    })
  })
  const initialized = scheduler.initialize(tasks)
  if ((await Promise.race([initialized, standing])) !== 'standby') return
  // Stopping an instance that is on standby is not a failure.
  initialized.catch(error => isStopping || onLateFailure(error))
}
