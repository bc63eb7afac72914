import { errorText } from './program.ts'

/**
 * Decides what becomes of a program that cannot write. A reader of the output that has seen enough (`| head`) ends it
 * quietly. If the reader of its errors is gone, it goes on: now only its exit code tells whether it failed. Anything else,
 * such as a full disk, ends it with one line and `exitCode`.
 */
export class Unwritable {
  readonly #exitCode: number
  readonly #error: (text: string) => void
  #areErrorsUnread = false

  constructor(exitCode: number, error: (text: string) => void) {
    this.#exitCode = exitCode
    this.#error = error
  }

  /** Takes the error of writing to standard output (1) or standard error (2). Returns if the program goes on. */
  handle(descriptor: 1 | 2, error: NodeJS.ErrnoException): void {
    if (error.code !== 'EPIPE') {
      if (descriptor === 1) this.#error(errorText({ message: `cannot write the output: ${error.message}` }))
      process.exit(this.#exitCode)
    }
    if (descriptor === 2) this.#areErrorsUnread = true
    // Behind `2>&1 | head` an exit with 0 would hide the errors.
    if (!this.#areErrorsUnread) process.exit(0)
  }
}

/** Node makes a stream when it is first named, and its pipe non-blocking for all processes that share it. */
const standardStreams = (): readonly (NodeJS.WriteStream & { readonly fd: 1 | 2 })[] => [
  process.stdout,
  process.stderr,
]

/** Applies the rule to what the process prints through Node's streams. */
export function endIfUnwritable(exitCode: number, streams = standardStreams()): void {
  const unwritable = new Unwritable(exitCode, text => process.stderr.write(text))
  for (const stream of streams) stream.on('error', error => unwritable.handle(stream.fd, error))
}

/** Waits until the streams are written: an exit would cut off what a pipe has not taken yet, and hide a full disk. */
export async function outputWritten(streams = standardStreams()): Promise<void> {
  for (const stream of streams)
    if (stream.writableLength > 0) await new Promise(resolve => stream.write('', resolve))
  // The streams tell their errors a moment later.
  await new Promise(resolve => setImmediate(resolve))
}
