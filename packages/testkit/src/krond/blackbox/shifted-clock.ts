import { readFileSync } from 'node:fs'
import { type Clock, systemClock } from '@kron/runtime'

/** A clock that began at `start` when the machine's own showed `epoch`, and runs `speed` times as fast. */
export interface ClockSettings {
  readonly epoch: number
  readonly start: number
  readonly speed: number
  /** Holds the milliseconds by which the clock is stepped; read again at SIGUSR2. */
  readonly stepFile: string
}

/** The same for every process with the same settings, so that time goes on while a daemon is down. */
export function shiftedClock({ epoch, start, speed, stepFile }: ClockSettings): Clock {
  const readStep = (): number => Number(readFileSync(stepFile, 'utf8'))
  let step = readStep()
  process.on('SIGUSR2', () => {
    step = readStep()
  })
  return {
    now: () => start + (systemClock.now() - epoch) * speed + step,
    monotonic: () => systemClock.monotonic() * speed,
    setTimer: (milliseconds, fire) => systemClock.setTimer(Math.ceil(milliseconds / speed), fire),
    clearTimer: timer => systemClock.clearTimer(timer),
  }
}
