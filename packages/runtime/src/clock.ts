export type Timer = unknown

/** Time as a port. Timers may fire early or late: whoever is woken reads `now()` again. */
export interface Clock {
  /** Epoch milliseconds; may step in either direction. */
  now(): number
  /** Milliseconds that never step and stand still in suspend. Without it clock jumps go unnoticed. */
  monotonic?(): number
  setTimer(milliseconds: number, fire: () => void): Timer
  clearTimer(timer: Timer): void
}

const LONGEST_TIMEOUT = 2 ** 31 - 1
/** A timer of 2 ms may be more than 2 ms late. So such a wait ends at once: the port allows early timers. */
const TOO_SHORT = 2

export const systemClock = {
  now: () => Date.now(),
  monotonic: () => {
    const [seconds, nanoseconds] = process.hrtime()
    return seconds * 1e3 + nanoseconds / 1e6
  },
  // Node turns longer timeouts into 1 ms; firing early instead is within the port's promise, too.
  setTimer: (milliseconds: number, fire: () => void): Timer =>
    milliseconds <= TOO_SHORT
      ? { immediate: setImmediate(fire) }
      : setTimeout(fire, Math.min(milliseconds, LONGEST_TIMEOUT)),
  clearTimer: (timer: Timer) => {
    const set = timer as NodeJS.Timeout | { readonly immediate: NodeJS.Immediate }
    if ('immediate' in set) clearImmediate(set.immediate)
    else clearTimeout(set)
  },
} satisfies Clock
