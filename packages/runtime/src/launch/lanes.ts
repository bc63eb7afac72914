/** At most this many of the thread pool's four threads start processes at a time: the disk needs the other. */
const LANES = 3
/** So many starts may leave what follows them for later: no more of their processes wait to be reaped. */
const MOST_PUT_OFF = 1_024
const LEAST_PUT_OFF = 16
/** Milliseconds after which what was put off comes in any case: a start may hang, as on a file system that is gone. */
const LONGEST_DELAY = 2_000
const AT_ONCE = 64

/** The order of starts that are due together: all of them come before what follows any of them. */
export class Lanes {
  #busy = 0
  readonly #waiting: (() => void)[] = []
  readonly #putOff: (() => void)[] = []
  #mostPutOff = MOST_PUT_OFF
  #patience: NodeJS.Timeout | undefined
  #isOverdue = false

  /** Does a start as soon as there is a lane for it. */
  async take<T>(start: () => Promise<T>): Promise<T> {
    if (this.#busy < LANES) this.#busy++
    else await new Promise<void>(resolve => this.#waiting.push(resolve))
    try {
      return await start()
    } finally {
      const next = this.#waiting.shift()
      if (next !== undefined) next()
      else {
        this.#busy--
        this.#letFollow()
      }
    }
  }

  /** Resolves when no start waits for a lane, or too much has been put off, or for too long, for those that do. */
  lull(): Promise<void> {
    return new Promise(resolve => {
      this.#putOff.push(resolve)
      this.#letFollow()
    })
  }

  /** So much was too much: what was put off follows now, and until no start waits less is put off. */
  putOffLess(): void {
    const late = this.#putOff.splice(0)
    this.#mostPutOff = Math.max(LEAST_PUT_OFF, Math.min(this.#mostPutOff, late.length >> 1))
    for (const follow of late) follow()
  }

  /** A few in one turn of the loop: a start that comes meanwhile goes first again. */
  #letFollow(): void {
    const mayWait = !this.#isOverdue && this.#putOff.length < this.#mostPutOff
    if (this.#waiting.length > 0 && mayWait) return this.#bePatient()
    for (const follow of this.#putOff.splice(0, AT_ONCE)) follow()
    if (this.#putOff.length > 0) setImmediate(() => this.#letFollow())
    else this.#beginAnew()
  }

  #bePatient(): void {
    this.#patience ??= setTimeout(() => {
      this.#isOverdue = true
      this.#letFollow()
    }, LONGEST_DELAY)
  }

  #beginAnew(): void {
    clearTimeout(this.#patience)
    this.#patience = undefined
    this.#isOverdue = false
    if (this.#waiting.length === 0) this.#mostPutOff = MOST_PUT_OFF
  }
}
