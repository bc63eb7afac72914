import { SystemError } from '@kron/core'

/** Another process, or another lock of this one, holds the lock. */
export class LockHeldError extends SystemError {
  /** The holder's PID, unless it has not written it yet. */
  readonly holder: number | undefined

  constructor(path: string, holder: number | undefined, where = '') {
    const who = holder === undefined ? 'another process' : `process ${holder}`
    super(`${path} is locked by ${who}${where}`, {
      component: 'lock',
      operation: 'lock',
      hint: 'only one instance may use the directory; stop the other one first',
    })
    this.holder = holder
  }
}
