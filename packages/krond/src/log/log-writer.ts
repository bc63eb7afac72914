import { closeSync, constants, openSync, write, writeSync } from 'node:fs'

/** Bytes of text that may wait for the reader; text beyond this is dropped and counted. */
const MOST_BYTES = 1024 * 1024
/** Job output may fill this part of it; the rest is for the daemon's own lines. */
const MOST_OUTPUT_BYTES = MOST_BYTES / 2
/** Milliseconds before the next try if the reader was busy. */
const RETRY_MS = 20
/** The same if the disk of the log is full. */
const FULL_RETRY_MS = 1_000
const FULL = new Set(['ENOSPC', 'EDQUOT'])

interface Waiting {
  readonly bytes: Buffer
  readonly lines: number
}

/**
 * Writes log text to a descriptor and never waits for its reader: a stalled, slow or dead reader, or a full disk, costs log
 * lines, not starts. The count of dropped lines is logged as soon as there is room.
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

  write(text: string, isJobOutput = false): void {
    const bytes = Buffer.from(text)
    const lines = countLines(text)
    const most = isJobOutput ? MOST_OUTPUT_BYTES : MOST_BYTES
    if (this.#bytes + bytes.length > most) this.#dropped += lines
    else this.#add({ bytes, lines })
    if (!this.#isBusy) this.#writeOn()
  }

  /** Counts lines that are not written; the count is logged with the next text. */
  drop(lines: number): void {
    this.#dropped += lines
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
      if (written === 'full') return this.#retry(FULL_RETRY_MS)
      this.#wrote(written)
    }
    for (const resolve of this.#drained.splice(0)) resolve()
  }

  #retry(milliseconds: number = RETRY_MS): void {
    this.#isBusy = true
    setTimeout(() => this.#writeOn(), milliseconds).unref()
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
function tryWrite(fd: number, bytes: Buffer, from: number): number | 'busy' | 'full' {
  try {
    return writeSync(fd, bytes, from)
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    if (code === 'EAGAIN') return 'busy'
    return FULL.has(code) ? 'full' : bytes.length - from
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

const countLines = (text: string): number => text.split('\n').length - 1
