import type { Clock } from '@kron/runtime'

/**
 * The clock for the alarm. Its monotonic time stands still, so the alarm takes every sleep of a second or more for a
 * jump of the wall clock and calls `onJump`. The loop then finds out whether the clock really jumped.
 */
export const alarmClock = (clock: Clock): Clock => ({
  now: () => clock.now(),
  monotonic: () => 0,
  setTimer: (milliseconds, fire) => clock.setTimer(milliseconds, fire),
  clearTimer: timer => clock.clearTimer(timer),
})
