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

/** Files follow when nothing was recorded for a moment, so that they do not delay starts, but they do not lag far. */
const QUIET = 300
const LONGEST_LAG = 5_000
const FILES_AT_ONCE = 256

export interface StateStoreOptions {
  readonly disk: Disk
  readonly directory: string
  readonly clock: Clock
  readonly history: number
  readonly fatal: (error: KronError) => void
  readonly observer?: StateObserver
}

/** Whoever wants to know what the store learns and how fast it is. */
export interface StateObserver {
  loaded(state: State): void
  recorded(seconds: number): void
}

/** What the store knows of a job: its state, nothing, or a file that cannot be read as JSON. */
export type Loaded =
  | { readonly kind: 'known'; readonly state: State }
  | { readonly kind: 'new' }
  | {
      readonly kind: 'corrupt'
      /** Where the file goes before a new one takes its place. */
      readonly aside: string
      readonly modifiedAt: number
      /** What the journal alone tells. */
      readonly journalled: State | undefined
    }

export const stateFileName = (identity: string): string =>
  `${createHash('sha256').update(identity).digest('hex')}.json`

/** A state file per job, behind a journal in which every change is durable first. */
export class StateStore implements Store {
  private readonly options: StateStoreOptions
  private readonly journal: Journal
  private present = new Set<string>()
  /** Recorded, but perhaps not yet in the files. */
  private readonly unsaved: Map<string, StateRecord[]>
  /** By path, where a corrupt file goes. */
  private readonly aside = new Map<string, string>()
  private flushTimer: Timer | undefined
  private lastRecord = 0
  private oldestUnsaved = 0
  private saving: Promise<void> = Promise.resolve()

  private constructor(options: StateStoreOptions, journal: Journal, unsaved: Map<string, StateRecord[]>) {
    this.options = options
    this.journal = journal
    this.unsaved = unsaved
  }

  /** The directory must be locked. */
  static async open(options: StateStoreOptions): Promise<StateStore> {
    const { disk, directory } = options
    await reading(directory, () => removeLeftovers(disk, directory))
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
    const { disk, directory } = this.options
    const names = await reading(directory, () => disk.list(directory))
    this.present = new Set(names.filter(name => name.endsWith('.json')))
  }

  async load(identity: string): Promise<Loaded> {
    const loaded = await this.look(identity)
    if (loaded.kind === 'known') this.options.observer?.loaded(loaded.state)
    return loaded
  }

  /** The state of a job as it is now, only to be looked at. */
  async peek(identity: string): Promise<State | undefined> {
    await this.saving
    return this.fold(await this.saved(identity), this.unsaved.get(identity) ?? [])
  }

  private async look(identity: string): Promise<Loaded> {
    const name = stateFileName(identity)
    const journalled = this.unsaved.get(identity) ?? []
    if (!this.present.has(name)) {
      return journalled.length === 0
        ? { kind: 'new' }
        : { kind: 'known', state: this.fold(undefined, journalled)! }
    }
    const path = `${this.options.directory}/${name}`
    const stat = await reading(path, () => this.options.disk.stat(path), identity)
    if (stat.kind !== 'file') throw unsafe(identity, `${path} is not a regular file`)
    if ((stat.mode & 0o077) !== 0) {
      const mode = stat.mode.toString(8).padStart(4, '0')
      throw unsafe(identity, `${path} may be changed or read by others (mode ${mode})`, `chmod 0600 ${path}`)
    }
    const document = readState(await this.text(path, identity), identity, this.now())
    if (document.kind === 'state') return { kind: 'known', state: this.fold(document.state, journalled)! }
    const aside = `${path}.corrupt.${this.options.clock.now()}`
    this.aside.set(path, aside)
    return {
      kind: 'corrupt',
      aside,
      modifiedAt: stat.modifiedAt,
      journalled: this.fold(undefined, journalled),
    }
  }

  async record(identity: string, seq: number, event: StateEvent): Promise<void> {
    const record: StateRecord = { Identity: identity, Seq: seq, Event: event }
    const begun = performance.now()
    const durable = this.journal.append(JSON.stringify(record))
    // Known from here on: a state that is loaded meanwhile must not be older than this record.
    const records = this.unsaved.get(identity)
    if (records === undefined) this.unsaved.set(identity, [record])
    else records.push(record)
    await durable
    this.options.observer?.recorded((performance.now() - begun) / 1_000)
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
    const { clock } = this.options
    this.lastRecord = clock.now()
    if (this.flushTimer !== undefined) return
    this.oldestUnsaved = this.lastRecord
    this.flushTimer = clock.setTimer(QUIET, () => this.flushIfQuiet())
  }

  private flushIfQuiet(): void {
    const { clock, fatal } = this.options
    const now = clock.now()
    const quietAt = Math.min(this.lastRecord + QUIET, this.oldestUnsaved + LONGEST_LAG)
    if (now >= quietAt || now < this.lastRecord) {
      this.flush().catch(error => fatal(error as KronError))
      return
    }
    this.flushTimer = clock.setTimer(quietAt - now, () => this.flushIfQuiet())
  }

  private async save(): Promise<void> {
    await this.journal.cut(async () => {
      const batch = Array.from(this.unsaved, ([identity, records]) => ({ identity, records: [...records] }))
      for (let at = 0; at < batch.length; at += FILES_AT_ONCE)
        await this.write(batch.slice(at, at + FILES_AT_ONCE))
    })
  }

  private async write(batch: readonly Unsaved[]): Promise<void> {
    const { disk, directory } = this.options
    const files = []
    for (const { identity, records } of batch) {
      const name = stateFileName(identity)
      const state = this.fold(await this.saved(identity), records)
      files.push({ path: `${directory}/${name}`, bytes: `${JSON.stringify(state, null, 1)}\n` })
      this.present.add(name)
    }
    await writeAllAtomically(disk, files)
    for (const { identity, records } of batch) {
      const rest = this.unsaved.get(identity)!.slice(records.length)
      if (rest.length > 0) this.unsaved.set(identity, rest)
      else this.unsaved.delete(identity)
    }
  }

  /** What the file holds now; one that was deleted or spoiled counts as none. */
  private async saved(identity: string): Promise<State | undefined> {
    const path = `${this.options.directory}/${stateFileName(identity)}`
    try {
      const document = readState(await this.text(path, identity), identity, this.now())
      if (document.kind === 'state') return document.state
      await this.setAside(path)
      return undefined
    } catch (error) {
      if (error instanceof PersistenceError && hasCode(error.cause, 'ENOENT')) return undefined
      throw error
    }
  }

  /** Moves a corrupt file out of the way, for a person to look at. */
  private async setAside(path: string): Promise<void> {
    const { disk, clock } = this.options
    const aside = this.aside.get(path) ?? `${path}.corrupt.${clock.now()}`
    this.aside.delete(path)
    await reading(path, () => disk.rename(path, aside))
  }

  private async text(path: string, identity: string): Promise<string> {
    return Buffer.from(await reading(path, () => this.options.disk.read(path), identity)).toString()
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

interface Unsaved {
  readonly identity: string
  readonly records: readonly StateRecord[]
}

async function reading<T>(path: string, act: () => Promise<T>, identity?: string): Promise<T> {
  try {
    return await act()
  } catch (cause) {
    throw new PersistenceError(`cannot read ${path}: ${(cause as Error).message}`, {
      component: 'state',
      operation: 'read state',
      ...(identity === undefined ? {} : { identity }),
      cause,
    })
  }
}

const unsafe = (identity: string, message: string, hint?: string): IncompatibleStateError =>
  new IncompatibleStateError(message, {
    component: 'state',
    operation: 'read state',
    identity,
    ...(hint === undefined ? {} : { hint }),
  })
