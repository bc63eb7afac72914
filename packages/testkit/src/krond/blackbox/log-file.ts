import { closeSync, existsSync, openSync, readSync, statSync } from 'node:fs'

export interface LogLine {
  readonly level: string
  readonly event: string
  readonly identity?: string
  readonly [field: string]: unknown
}

/** The log of daemons. It is a file, not a pipe: jobs inherit it, and would keep a pipe open after the daemon has ended. */
export class LogFile {
  readonly #path: string
  readonly #lines: LogLine[] = []
  #stray = ''
  #taken = 0

  constructor(path: string) {
    this.#path = path
  }

  /** A descriptor for a daemon, which writes to the end of the file. */
  open(): number {
    return openSync(this.#path, 'a', 0o666)
  }

  /** Every line any daemon logged, in order. */
  get lines(): readonly LogLine[] {
    this.#pull()
    return this.#lines
  }

  /** Output of daemons and jobs that is not a log line. */
  get stray(): string {
    this.#pull()
    return this.#stray
  }

  #pull(): void {
    const size = existsSync(this.#path) ? statSync(this.#path).size : 0
    if (size <= this.#taken) return
    const bytes = Buffer.alloc(size - this.#taken)
    const log = openSync(this.#path, 'r')
    const count = readSync(log, bytes, 0, bytes.length, this.#taken)
    closeSync(log)
    const end = bytes.subarray(0, count).lastIndexOf(10) + 1
    for (const line of bytes.toString('utf8', 0, end).split('\n')) this.#take(line)
    this.#taken += end
  }

  #take(line: string): void {
    try {
      this.#lines.push(JSON.parse(line) as LogLine)
    } catch {
      this.#stray += line === '' ? '' : `${line}\n`
    }
  }
}
