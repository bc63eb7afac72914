/** The life of one daemon. */
export class Life {
  dead = false
  /** A write of this life has failed. */
  failed = false
  end!: () => void
  readonly ended = new Promise<void>(resolve => {
    this.end = () => {
      this.dead = true
      resolve()
    }
  })
}

export type DiskFault = 'ENOSPC' | 'EIO'

/** The number of bytes that are still written when the daemon dies during a write of this size. */
export type Part = (size: number) => number

/** How often nothing of a write is done, and how often all of it. */
const EDGE = 0.001

/**
 * A part of a write from a number in [0, 1). Whether it is nothing, some or all does not depend on the size: a daemon that
 * keeps more history writes longer files, and must have the same faults.
 */
export function partOf(size: number, random: number): number {
  if (random < EDGE) return 0
  if (random >= 1 - EDGE) return size
  return Math.max(Math.min(1, size), Math.min(size - 1, Math.floor(random * (size + 1))))
}

const never = <T>(): Promise<T> => new Promise(() => {})

/** Faults that hit the daemon, by the number of its operations on the outside world. */
export class FaultPlan {
  steps = 0
  /** At this operation the daemon dies, before or after the operation happens. */
  crashAt = Number.POSITIVE_INFINITY
  crashAfter = false
  /** At this operation the disk fails, and the daemon must give up. */
  failAt = Number.POSITIVE_INFINITY
  failWith: DiskFault = 'ENOSPC'
  /** The part of a write that is done when the write fails or the daemon dies during it. */
  part: Part = () => 0
  onDiskFault: (code: DiskFault, torn: boolean) => void = () => {}

  /** Cancels all planned faults. */
  spare(): void {
    this.crashAt = Number.POSITIVE_INFINITY
    this.failAt = Number.POSITIVE_INFINITY
  }

  /** Does one operation on the outside world. For a dead daemon nothing is done, and the promise stays open. */
  touch<T>(life: Life, act: () => Promise<T>): Promise<T> {
    if (life.dead) return never()
    if (++this.steps === this.crashAt) return this.last(life, act)
    return untilDeath(life, act())
  }

  /** An operation on the disk, which may fail; `begin` does a part of it. */
  touchDisk<T>(life: Life, act: () => Promise<T>, begin?: (part: Part) => Promise<void>): Promise<T> {
    if (life.dead) return never()
    const step = ++this.steps
    if (step === this.crashAt) return this.last(life, act, begin)
    if (step === this.failAt) return untilDeath(life, this.fail(life, begin))
    return untilDeath(life, act())
  }

  private last<T>(life: Life, act: () => Promise<T>, begin?: (part: Part) => Promise<void>): Promise<T> {
    const done = this.crashAfter ? act() : begin?.(this.part)
    life.end()
    // The daemon is dead, so the result is ignored.
    done?.catch(() => {})
    return never()
  }

  private async fail<T>(life: Life, begin?: (part: Part) => Promise<void>): Promise<T> {
    life.failed = true
    this.onDiskFault(this.failWith, begin !== undefined)
    await begin?.(this.part)
    throw Object.assign(new Error(`${this.failWith}: simulated`), { code: this.failWith })
  }
}

async function untilDeath<T>(life: Life, result: Promise<T>): Promise<T> {
  try {
    const value = await result
    return life.dead ? never() : value
  } catch (error) {
    if (life.dead) return never()
    throw error
  }
}
