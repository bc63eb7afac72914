import { type Scheduler, subscribe } from './index.ts'
import type { Registration } from './registration/registration.ts'

/**
 * Initializes a scheduler for a server that serves meanwhile: resolves when it is active or stands by. An instance that stands by may
 * still fail later, which `onLateFailure` hears of.
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
  // An instance that is stopped while it stands by has been told to give up: that is no failure.
  initialized.catch(error => isStopping || onLateFailure(error))
}
