import { control } from '../visible.ts'
import type { Terminal } from './terminal.ts'

/** The part of the world that a progress line needs. */
export interface ProgressHost {
  readonly terminal: Pick<Terminal, 'progress'>
  err(text: string): void
}

const PATIENCE_MS = 1_000
const STEP_MS = 100
/** To the first column, and the rest of the line is cleared. */
const LINE_START = `${control('1G')}${control('K')}`

/** A line on the terminal that tells how far long work has come; short work shows nothing. */
export class Progress {
  readonly #host: ProgressHost
  readonly #what: string
  readonly #began = Date.now()
  #last = 0
  #shown = false

  constructor(host: ProgressHost, what: string) {
    this.#host = host
    this.#what = what
  }

  show(done: number, total: number): void {
    if (!this.#host.terminal.progress) return
    const now = Date.now()
    if (now - this.#began < PATIENCE_MS || now - this.#last < STEP_MS) return
    this.#last = now
    this.#shown = true
    const percent = total === 0 ? 100 : Math.floor((done / total) * 100)
    this.#host.err(`${LINE_START}${this.#what} ${percent} %`)
  }

  clear(): void {
    if (this.#shown) this.#host.err(LINE_START)
    this.#shown = false
  }
}
