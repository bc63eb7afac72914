import {
  appendFileSync,
  closeSync,
  constants,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  statSync,
} from 'node:fs'
import type { AuditRecord } from '@kron/host/api'

/** The log is rotated when it grows beyond this size; one older file is kept. */
const LARGEST_BYTES = 4 * 1_024 * 1_024

/** The audit log `<state>/audit.log` (0600): one line of JSON per act, durable before the answer is sent. */
export class AuditLog {
  readonly #path: string

  constructor(stateDir: string) {
    this.#path = `${stateDir}/audit.log`
  }

  add(record: AuditRecord): void {
    this.#turn()
    const flags = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW
    const file = openSync(this.#path, flags, 0o600)
    try {
      appendFileSync(file, `${JSON.stringify(record)}\n`)
      fsyncSync(file)
    } finally {
      closeSync(file)
    }
  }

  /** The latest records, newest first. */
  list(limit: number): readonly AuditRecord[] {
    const records = this.#read(this.#path)
    const all = records.length < limit ? [...this.#read(`${this.#path}.1`), ...records] : records
    return all.slice(-limit).reverse()
  }

  #read(path: string): AuditRecord[] {
    let text: string
    try {
      text = readFileSync(path, 'utf8')
    } catch {
      return []
    }
    return text.split('\n').flatMap(line => {
      try {
        return [JSON.parse(line) as AuditRecord]
      } catch {
        // A power cut can leave an incomplete last line.
        return []
      }
    })
  }

  #turn(): void {
    const { size = 0 } = statSync(this.#path, { throwIfNoEntry: false }) ?? {}
    if (size > LARGEST_BYTES) renameSync(this.#path, `${this.#path}.1`)
  }
}
