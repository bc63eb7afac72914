import { createHash } from 'node:crypto'
import {
  applyRecord,
  IncompatibleStateError,
  type KronError,
  PersistenceError,
  readState,
  type State,
  type StateEvent,
  type StateRecord,
} from '@kron/core'
import {
  type Clock,
  type Disk,
  hasCode,
  Journal,
  removeLeftovers,
  type Timer,
  writeAllAtomically,
} from '@kron/runtime'
import type { Store } from './ports.ts'

const FLUSH_AFTER = 200
const FILES_AT_ONCE = 256

export interface StateStoreOptions {
  readonly disk: Disk
  readonly directory: string
  readonly clock: Clock
  readonly history: number
  readonly fatal: (error: KronError) => void
}

/** What the store knows of a job: its state, nothing, or a file that cannot be read as JSON. */
export type Loaded =
  | { readonly kind: 'known'; readonly state: State }
  | { readonly kind: 'new' }
  | { readonly kind: 'corrupt'; readonly path: string; readonly modifiedAt: number; readonly lastSeq: number }

export const stateFileName = (identity: string): string =>
  `${createHash('sha256').update(identity).digest('hex')}.json`

/** A state file per job, behind a journal in which every change is durable first. */
export class StateStore implements Store {
  private readonly options: StateStoreOptions
  private readonly journal: Journal
  private present: ReadonlySet<string> = new Set()
  /** Durable in the journal, not yet in the files. */
  private unsaved: Map<string, StateRecord[]>
  private flushTimer: Timer | undefined
  private saving: Promise<void> = Promise.resolve()

  private constructor(options: StateStoreOptions, journal: Journal, unsaved: Map<string, StateRecord[]>) {
    this.options = options
    this.journal = journal
    this.unsaved = unsaved
  }

  /** The directory must be locked. */
  static async open(options: StateStoreOptions): Promise<StateStore> {
    const { disk, directory } = options
    await removeLeftovers(disk, directory)
    const unsaved = new Map<string, StateRecord[]>()
    const journal = await Journal.open(disk, directory, bytes => {
      const record = JSON.parse(Buffer.from(bytes).toString()) as StateRecord
      const records = unsaved.get(record.Identity)
      if (records === undefined) unsaved.set(record.Identity, [record])
      else records.push(record)
    })
    return new StateStore(options, journal, unsaved)
  }

  /** Must come before a series of `load`s: one look at the directory serves them all. */
  async lookAround(): Promise<void> {
    this.present = new Set(
      (await this.options.disk.list(this.options.directory)).filter(name => name.endsWith('.json')),
    )
  }

  async load(identity: string): Promise<Loaded> {
    const name = stateFileName(identity)
    const journalled = this.unsaved.get(identity) ?? []
    if (!this.present.has(name)) {
      return journalled.length === 0
        ? { kind: 'new' }
        : { kind: 'known', state: this.fold(undefined, journalled)! }
    }
    const path = `${this.options.directory}/${name}`
    const stat = await this.options.disk.stat(path)
    if (stat.kind !== 'file') throw unsafe(identity, `${path} is not a regular file`)
    if ((stat.mode & 0o077) !== 0) {
      const mode = stat.mode.toString(8).padStart(4, '0')
      throw unsafe(identity, `${path} may be changed or read by others (mode ${mode})`, `chmod 0600 ${path}`)
    }
    const document = readState(await this.text(path, identity), identity, this.now())
    if (document.kind === 'state') return { kind: 'known', state: this.fold(document.state, journalled)! }
    const lastSeq = journalled.at(-1)?.Seq ?? 0
    this.unsaved.delete(identity)
    return { kind: 'corrupt', path, modifiedAt: stat.modifiedAt, lastSeq }
  }

  /** Moves a corrupt file out of the way, for a person to look at. */
  async setAside(path: string): Promise<string> {
    const aside = `${path}.corrupt.${this.options.clock.now()}`
    await this.options.disk.rename(path, aside)
    await this.options.disk.syncDirectory(this.options.directory)
    return aside
  }

  async record(identity: string, seq: number, event: StateEvent): Promise<void> {
    const record: StateRecord = { Identity: identity, Seq: seq, Event: event }
    await this.journal.append(JSON.stringify(record))
    const records = this.unsaved.get(identity)
    if (records === undefined) this.unsaved.set(identity, [record])
    else records.push(record)
    this.flushSoon()
  }

  /** Writes the journal out into the state files. */
  flush(): Promise<void> {
    if (this.flushTimer !== undefined) this.options.clock.clearTimer(this.flushTimer)
    this.flushTimer = undefined
    const saved = this.saving.then(() => (this.unsaved.size > 0 ? this.save() : undefined))
    this.saving = saved.catch(() => {})
    return saved
  }

  async close(): Promise<void> {
    await this.flush()
    await this.journal.close()
  }

  private flushSoon(): void {
    this.flushTimer ??= this.options.clock.setTimer(FLUSH_AFTER, () => {
      this.flush().catch(error => this.options.fatal(error as KronError))
    })
  }

  private async save(): Promise<void> {
    await this.journal.cut(async () => {
      const batch = [...this.unsaved]
      this.unsaved = new Map()
      for (let at = 0; at < batch.length; at += FILES_AT_ONCE) {
        const files = []
        for (const [identity, records] of batch.slice(at, at + FILES_AT_ONCE)) {
          const state = this.fold(await this.saved(identity), records)
          const path = `${this.options.directory}/${stateFileName(identity)}`
          files.push({ path, bytes: `${JSON.stringify(state, null, 1)}\n` })
        }
        await writeAllAtomically(this.options.disk, files)
      }
    })
  }

  /** What the file holds now; a file that was deleted or spoiled under us counts as none. */
  private async saved(identity: string): Promise<State | undefined> {
    const path = `${this.options.directory}/${stateFileName(identity)}`
    try {
      const document = readState(await this.text(path, identity), identity, this.now())
      return document.kind === 'state' ? document.state : undefined
    } catch (error) {
      if (error instanceof PersistenceError && hasCode(error.cause, 'ENOENT')) return undefined
      throw error
    }
  }

  private async text(path: string, identity: string): Promise<string> {
    try {
      return Buffer.from(await this.options.disk.read(path)).toString()
    } catch (cause) {
      const message = `cannot read ${path}: ${(cause as Error).message}`
      throw new PersistenceError(message, { component: 'state', operation: 'read state', identity, cause })
    }
  }

  private fold(state: State | undefined, records: readonly StateRecord[]): State | undefined {
    return records.reduce<State | undefined>(
      (each, record) => applyRecord(each, record, this.options.history),
      state,
    )
  }

  private now(): number {
    return Math.floor(this.options.clock.now() / 1_000)
  }
}

const unsafe = (identity: string, message: string, hint?: string): IncompatibleStateError =>
  new IncompatibleStateError(message, {
    component: 'state',
    operation: 'read state',
    identity,
    ...(hint === undefined ? {} : { hint }),
  })
