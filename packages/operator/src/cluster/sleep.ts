import type { Clock } from '@kron/runtime'

/** Resolves when the time has passed or the signal is aborted. */
export function sleep(clock: Clock, milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    if (signal?.aborted) return resolve()
    const finish = (): void => {
      clock.clearTimer(timer)
      signal?.removeEventListener('abort', finish)
      resolve()
    }
    const timer = clock.setTimer(milliseconds, finish)
    signal?.addEventListener('abort', finish, { once: true })
  })
}
