import type { Clock, Disk, DiskFile, Timer, VirtualClock, VirtualDisk } from '@kron/runtime'
import { type Around, wrappedDisk, wrappedFile } from '../../disk/wrapped-disk.ts'
import type { FaultPlan, Life } from './fault-plan.ts'

/** A disk as one daemon sees it. */
export function daemonDisk(disk: VirtualDisk, faults: FaultPlan, life: Life): Disk {
  const touch: Around =
    (_, act) =>
    (...values) =>
      faults.touchDisk(life, () => act(...values))
  const writing =
    (inner: DiskFile, act: (bytes: Uint8Array) => Promise<void>) =>
    (bytes: Uint8Array): Promise<void> =>
      faults.touchDisk(
        life,
        () => act(bytes),
        part => inner.write(bytes.subarray(0, part(bytes.length))),
      )
  const file = (inner: DiskFile): DiskFile =>
    wrappedFile(inner, touch, {
      write: writing(inner, bytes => inner.write(bytes)),
      appendDurably: writing(inner, bytes => inner.appendDurably(bytes)),
    })
  return wrappedDisk(disk, touch, file)
}

/** The longest sleep of an idle daemon before it reads the clock again. */
const LONGEST_SLEEP = 60_000
const LAST_STRETCH = 250

interface Sleep {
  timer: Timer
  readonly since: number
  readonly fire: () => void
}

/**
 * A clock as one daemon sees it. An idle daemon wakes every minute and finds nothing to do; those wake-ups are skipped,
 * exactly up to the one that would find work, or until the clock jumps.
 */
export class DaemonClock implements Clock {
  /** When the daemon will have work to do, in epoch milliseconds. */
  nextDue: () => number = () => Number.NEGATIVE_INFINITY
  private readonly clock: VirtualClock
  private readonly life: Life
  private idle: Sleep | undefined

  constructor(clock: VirtualClock, life: Life) {
    this.clock = clock
    this.life = life
  }

  now(): number {
    return this.clock.now()
  }

  monotonic(): number {
    return this.clock.monotonic()
  }

  setTimer(milliseconds: number, fire: () => void): Timer {
    const sleep: Sleep = { timer: undefined, since: this.clock.monotonic(), fire }
    if (milliseconds !== LONGEST_SLEEP) this.arm(sleep, milliseconds)
    else {
      const sleeps = Math.floor((this.nextDue() - this.clock.now() - LAST_STRETCH) / LONGEST_SLEEP)
      this.idle = sleep
      this.arm(sleep, Math.max(1, sleeps) * LONGEST_SLEEP)
    }
    return sleep
  }

  clearTimer(timer: Timer): void {
    const sleep = timer as Sleep | undefined
    if (sleep !== undefined) this.clock.clearTimer(sleep.timer)
    if (sleep === this.idle) this.idle = undefined
  }

  /** The clock is about to jump: from now on no wake-up is skipped. */
  wakeInTime(): void {
    if (this.idle === undefined) return
    const slept = (this.clock.monotonic() - this.idle.since) % LONGEST_SLEEP
    this.clock.clearTimer(this.idle.timer)
    this.arm(this.idle, LONGEST_SLEEP - slept)
  }

  private arm(sleep: Sleep, milliseconds: number): void {
    sleep.timer = this.clock.setTimer(milliseconds, () => {
      if (sleep === this.idle) this.idle = undefined
      if (!this.life.dead) sleep.fire()
    })
  }
}
