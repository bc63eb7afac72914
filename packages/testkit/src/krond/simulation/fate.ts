/** One daemon's life. */
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

/** What fate does to a write that the daemon does not live to see done: so much of it happens. */
export type Part = (size: number) => number

const never = <T>(): Promise<T> => new Promise(() => {})

/** What befalls the daemon, by the number of its touches of the world. */
export class Fate {
  steps = 0
  /** At this touch the daemon is gone, before or after it. */
  crashAt = Number.POSITIVE_INFINITY
  crashAfter = false
  /** At this touch the disk fails, and the daemon must give up. */
  failAt = Number.POSITIVE_INFINITY
  failWith: DiskFault = 'ENOSPC'
  /** How much of a write is done when it fails or the daemon dies in it. */
  part: Part = () => 0
  onDiskFault: (code: DiskFault, torn: boolean) => void = () => {}

  /** Nothing is going to happen. */
  spare(): void {
    this.crashAt = Number.POSITIVE_INFINITY
    this.failAt = Number.POSITIVE_INFINITY
  }

  /** One touch of the world: after death it never happens and never returns. */
  touch<T>(life: Life, act: () => Promise<T>): Promise<T> {
    if (life.dead) return never()
    if (++this.steps === this.crashAt) return this.last(life, act)
    return untilDeath(life, act())
  }

  /** A touch of the disk, which may fail; `begin` does a part of it. */
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
    // What it brought, nobody lives to see.
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
