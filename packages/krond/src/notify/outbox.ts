import { mkdirSync } from 'node:fs'
import { type Disk, Journal } from '@kron/runtime'
import type { Notice } from './notice.ts'

/** A record in the journal of the outbox. */
type OutboxRecord =
  | { readonly notice: Notice }
  /** The target has received the notice, or was given up. */
  | { readonly done: string; readonly target: string }
  /** Every target has received the notice or was given up. */
  | { readonly closed: string }

/** A new journal begins when the old one is larger than this, and than twice the open notices that the last one began with. */
const LARGEST_BYTES = 1 << 20

/** A notice that is not closed, and the targets that have received it. */
export interface OpenNotice {
  readonly notice: Notice
  readonly done: ReadonlySet<string>
}

/** The notices that wait for delivery. Each is durable before it counts, so that a crash loses none. */
export class Outbox {
  readonly #journal: Journal
  readonly #open: Map<string, { readonly notice: Notice; readonly done: Set<string> }>
  /** The size of the journal after the last cut: the open notices of that time. */
  #copiedBytes = 0
  #cutting = false

  private constructor(journal: Journal, open: Map<string, { notice: Notice; done: Set<string> }>) {
    this.#journal = journal
    this.#open = open
  }

  /** The state directory must be locked. */
  static async open(disk: Disk, stateDir: string): Promise<Outbox> {
    const directory = `${stateDir}/outbox`
    mkdirSync(directory, { recursive: true, mode: 0o700 })
    const open = new Map<string, { notice: Notice; done: Set<string> }>()
    const journal = await Journal.open(disk, directory, bytes => {
      const record = JSON.parse(Buffer.from(bytes).toString()) as OutboxRecord
      if ('notice' in record) {
        if (!open.has(record.notice.key))
          open.set(record.notice.key, { notice: record.notice, done: new Set() })
      } else if ('done' in record) open.get(record.done)?.done.add(record.target)
      else open.delete(record.closed)
    })
    return new Outbox(journal, open)
  }

  get notices(): Iterable<OpenNotice> {
    return this.#open.values()
  }

  /** The targets that have received a notice. */
  doneOf(key: string): ReadonlySet<string> {
    return this.#open.get(key)?.done ?? new Set()
  }

  /** The time of the oldest notice, in epoch seconds; undefined if there is none. */
  get oldest(): number | undefined {
    let oldest: number | undefined
    for (const { notice } of this.#open.values())
      if (oldest === undefined || notice.at < oldest) oldest = notice.at
    return oldest
  }

  get size(): number {
    return this.#open.size
  }

  /** Resolves when the notice is durable; false if it existed already. */
  async add(notice: Notice): Promise<boolean> {
    if (this.#open.has(notice.key)) return false
    this.#open.set(notice.key, { notice, done: new Set() })
    await this.#append({ notice })
    return true
  }

  async markDone(key: string, target: string): Promise<void> {
    this.#open.get(key)?.done.add(target)
    await this.#append({ done: key, target })
  }

  async close(key: string): Promise<void> {
    if (!this.#open.delete(key)) return
    await this.#append({ closed: key })
    const limit = Math.max(LARGEST_BYTES, 2 * this.#copiedBytes)
    if (this.#journal.size > limit && !this.#cutting) await this.#cut()
  }

  async shut(): Promise<void> {
    await this.#journal.close()
  }

  async #append(record: OutboxRecord): Promise<void> {
    await this.#journal.append(JSON.stringify(record))
  }

  /** Writes the open notices into a new segment before the old one is removed. */
  async #cut(): Promise<void> {
    this.#cutting = true
    try {
      await this.#journal.cut(async () => {
        const copies: Promise<void>[] = []
        for (const { notice, done } of this.#open.values()) {
          copies.push(this.#append({ notice }))
          for (const target of done) copies.push(this.#append({ done: notice.key, target }))
        }
        await Promise.all(copies)
      })
      this.#copiedBytes = this.#journal.size
    } finally {
      this.#cutting = false
    }
  }
}
