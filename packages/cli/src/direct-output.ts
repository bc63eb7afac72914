import { writeSync } from 'node:fs'
import { Unwritable } from './unwritable.ts'

/** Milliseconds until a full pipe is tried again. */
const PATIENCE_MS = 5

/** Writes at once and without Node's streams: an exit loses nothing, and the streams take milliseconds to create. */
export class DirectOutput {
  readonly #unwritable: Unwritable

  /** `exitCode`: how the process ends if the output cannot be written. */
  constructor(exitCode: number) {
    this.#unwritable = new Unwritable(exitCode, text => this.error(text))
  }

  out(text: string): void {
    this.#write(1, text)
  }

  error(text: string): void {
    this.#write(2, text)
  }

  #write(descriptor: 1 | 2, text: string): void {
    const bytes = Buffer.from(text)
    for (let written = 0; written < bytes.length; ) {
      try {
        written += writeSync(descriptor, bytes, written)
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EAGAIN')
          return this.#unwritable.handle(descriptor, error as Error)
        // The pipe is full and non-blocking: wait for its reader.
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PATIENCE_MS)
      }
    }
  }
}
