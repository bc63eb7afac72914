import { closeSync, readSync } from 'node:fs'

const LOOK_MS = 25
const SLOW_MS = 1_000
const SLOW_BYTES = 2_048
const ALL_BYTES = 1 << 20

/** Reads a pipe at a chosen pace, or not at all. */
export class PipeReader {
  text = ''
  readonly #fd: number
  #timer: NodeJS.Timeout | undefined
  #isClosed = false

  constructor(fd: number) {
    this.#fd = fd
  }

  readAll(): void {
    this.#read(LOOK_MS, ALL_BYTES)
  }

  readSlowly(): void {
    this.#read(SLOW_MS, SLOW_BYTES)
  }

  close(): void {
    clearInterval(this.#timer)
    if (!this.#isClosed) closeSync(this.#fd)
    this.#isClosed = true
  }

  #read(everyMs: number, bytes: number): void {
    clearInterval(this.#timer)
    if (this.#isClosed) return
    const buffer = Buffer.alloc(bytes)
    this.#timer = setInterval(() => {
      try {
        this.text += buffer.toString('utf8', 0, readSync(this.#fd, buffer, 0, bytes, null))
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error
      }
    }, everyMs)
  }
}
