import { closeSync, constants, openSync, write, writeSync } from 'node:fs'

/** Bytes of text that may wait for the reader; text beyond this is dropped and counted. */
const MOST_BYTES = 1024 * 1024
/** Milliseconds before the next try if the reader was busy. */
const RETRY_MS = 20

interface Waiting {
  readonly bytes: Buffer
  readonly lines: number
}

/**
 * Writes log text to a descriptor and never waits for its reader: a stalled, slow or dead reader costs log lines, not
 * starts. The count of dropped lines is logged as soon as there is room.
 */
export class LogWriter {
  readonly #fd: number
  /** Whether writing returns EAGAIN instead of waiting. */
  readonly #isNonBlocking: boolean
  readonly #printDropped: (lines: number) => string
  #waiting: Waiting[] = []
  #bytes = 0
  #dropped = 0
  /** How much of the first waiting text is written. */
  #done = 0
  #isBusy = false
  #drained: (() => void)[] = []

  constructor(fd: number, printDropped: (lines: number) => string) {
    const own = reopened(fd)
    this.#fd = own ?? fd
    this.#isNonBlocking = own !== undefined
    this.#printDropped = printDropped
  }

  write(text: string): void {
    const bytes = Buffer.from(text)
    const lines = countLines(text)
    if (this.#bytes + bytes.length > MOST_BYTES) this.#dropped += lines
    else this.#add({ bytes, lines })
    if (!this.#isBusy) this.#writeOn()
  }

  /** Resolves when everything is written, or after this time: a dead reader must not keep the daemon alive. */
  drain(milliseconds: number): Promise<void> {
    if (this.#waiting.length === 0) return Promise.resolve()
    return new Promise(resolve => {
      this.#drained.push(resolve)
      setTimeout(resolve, milliseconds).unref()
    })
  }

  close(): void {
    if (this.#isNonBlocking) closeSync(this.#fd)
  }

  #add(text: Waiting): void {
    this.#waiting.push(text)
    this.#bytes += text.bytes.length
  }

  #writeOn(): void {
    this.#isBusy = false
    for (;;) {
      const next = this.#waiting[0]
      if (next === undefined) {
        if (this.#dropped === 0) break
        const text = this.#printDropped(this.#dropped)
        this.#dropped = 0
        this.#add({ bytes: Buffer.from(text), lines: 0 })
        continue
      }
      if (!this.#isNonBlocking) return this.#writeAside(next)
      const written = tryWrite(this.#fd, next.bytes, this.#done)
      if (written === 'busy') return this.#retry()
      this.#wrote(written)
    }
    for (const resolve of this.#drained.splice(0)) resolve()
  }

  #retry(): void {
    this.#isBusy = true
    setTimeout(() => this.#writeOn(), RETRY_MS).unref()
  }

  /** A socket cannot be reopened, so another thread waits for its reader. */
  #writeAside({ bytes }: Waiting): void {
    this.#isBusy = true
    write(this.#fd, bytes, this.#done, (error, written) => {
      if (error?.code === 'EAGAIN') return this.#retry()
      // If the reader is gone, all bytes count as written.
      this.#wrote(error === null ? written : bytes.length)
      this.#writeOn()
    })
  }

  #wrote(count: number): void {
    this.#done += count
    const { bytes } = this.#waiting[0]!
    if (this.#done < bytes.length) return
    this.#waiting.shift()
    this.#bytes -= bytes.length
    this.#done = 0
  }
}

/** The number of bytes written; all of them if the reader is gone. */
function tryWrite(fd: number, bytes: Buffer, from: number): number | 'busy' {
  try {
    return writeSync(fd, bytes, from)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EAGAIN' ? 'busy' : bytes.length - from
  }
}

/** Opens the same file with a new descriptor: processes that share the old one keep their blocking mode. */
function reopened(fd: number): number | undefined {
  try {
    return openSync(`/proc/self/fd/${fd}`, constants.O_WRONLY | constants.O_APPEND | constants.O_NONBLOCK)
  } catch {
    return undefined
  }
}

function countLines(text: string): number {
  let lines = 0
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines++
  return lines
}
