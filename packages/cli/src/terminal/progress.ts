import { control } from '../visible.ts'
import type { Terminal } from './terminal.ts'

/** The part of the world that a progress line needs. */
export interface ProgressHost {
  readonly terminal: Pick<Terminal, 'progress'>
  err(text: string): void
}

export type ShowProgress = (done: number, total: number) => void

const PATIENCE_MS = 1_000
const STEP_MS = 100
/** To the first column, and the rest of the line is cleared. */
const LINE_START = `${control('1G')}${control('K')}`

/** Does long work with a line on the terminal that tells how far it has come; short work shows nothing. */
export function withProgress<T>(host: ProgressHost, what: string, work: (show: ShowProgress) => T): T {
  const began = Date.now()
  let last = 0
  const result = work((done, total) => {
    if (!host.terminal.progress) return
    const now = Date.now()
    if (now - began < PATIENCE_MS || now - last < STEP_MS) return
    last = now
    const percent = total === 0 ? 100 : Math.floor((done / total) * 100)
    host.err(`${LINE_START}${what} ${percent} %`)
  })
  if (last > 0) host.err(LINE_START)
  return result
}
