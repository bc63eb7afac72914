import { setImmediate as macrotask } from 'node:timers/promises'
import type { KronError } from '@kron/core'
import { applyRecord, type State, type StateEvent, type StateRecord } from '@kron/host'
import {
  type Clock,
  type Disk,
  isNoRoom,
  Journal,
  type JournalRoom,
  removeLeftovers,
  SerialQueue,
  type Timer,
} from '@kron/runtime'
import { JOURNAL_RESERVE } from './disk-room.ts'
import { executionsOf, type SavedState, savedState } from './saved-state.ts'
import { checkTimes } from './state-check.ts'
import { StateFiles, stateFileName } from './state-files.ts'
import type { Rest } from './state-summary.ts'
import { type Unsaved, UnsavedRecords } from './unsaved-records.ts'

export { stateFileName }

/** Files are written after a quiet moment, so that they do not delay starts, but they do not lag far behind. */
const QUIET = 300
const LONGEST_LAG = 5_000
const FILES_AT_ONCE = 64
/** While jobs start, writing files stops for this long between two files, and for at most half of the time. */
const WRITE_BREAK_MS = 50
/** The time between two tries to write to a full disk. */
const FULL_DISK_RETRY_MS = 1_000
/** The number of files that are examined in one turn of the event loop. */
const LOOKED_AT_ONCE = 64
const NEW: Loaded = { kind: 'new' }

export interface StateStoreOptions {
  readonly disk: Disk
  readonly directory: string
  readonly clock: Clock
  readonly history: number
  readonly fatal: (error: KronError) => void
  /** Resolves when no job waits to be started: files can wait until then. */
  readonly lull?: () => Promise<void>
  /** Called when the files hold every record and none has come for a moment. */
  readonly caughtUp?: () => void
  /** Awaited before the journal is cut: all readers of its records must have finished. */
  readonly beforeCut?: () => Promise<void>
  /** Called when state files are durable. */
  readonly onSaved?: (saved: SavedState) => void
  readonly observer?: StateObserver
  /** Called for damage that nobody else reports: `load` tells of corrupt files itself. */
  readonly onDamage?: (damage: StateDamage) => void
  /** Called for writes for which the disk has no room; they are tried again. Absent: they are fatal. */
  readonly noRoom?: (error: Error) => void
}

export type StateDamage =
  /** The file of a job was found corrupt while the daemon runs, and was moved to `aside`. */
  | { readonly kind: 'state'; readonly identity: string; readonly aside: string }
  /** The last commit of the journal could not be read; this many bytes were cut off. */
  | { readonly kind: 'journal'; readonly bytes: number }
  /** The summary is not used: every state file is read. */
  | { readonly kind: 'summary' }

/** Observes the states that the store learns, and how fast the store is. */
export interface StateObserver {
  loaded(state: State): void
  recorded(seconds: number): void
}

/** The known state of a job: all of it, the part that matters, nothing, or a file that is not JSON. */
export type Loaded =
  | { readonly kind: 'known'; readonly state: State }
  | ({ readonly kind: 'resting' } & Rest)
  | { readonly kind: 'new' }
  | {
      readonly kind: 'corrupt'
      /** The path to which the file is moved before a new one takes its place. */
      readonly aside: string
      readonly modifiedAt: number
      /** The state according to the journal alone. */
      readonly journalled: State | undefined
    }

/** One state file per job, behind a journal in which every change becomes durable first. */
export class StateStore {
  readonly #options: StateStoreOptions
  readonly #life: Life
  readonly #journal: Journal
  readonly #files: StateFiles
  readonly #unsaved: UnsavedRecords
  #flushTimer: Timer | undefined
  #lastRecord = 0
  #oldestUnsaved = 0
  readonly #saving = new SerialQueue()
  /** The number of times files were written, and the number of files read. */
  #writes = 0
  #reads = 0

  private constructor(
    options: StateStoreOptions,
    files: StateFiles,
    journal: Journal,
    unsaved: UnsavedRecords,
    life: Life,
  ) {
    this.#life = life
    this.#options = options
    this.#files = files
    this.#journal = journal
    this.#unsaved = unsaved
  }

  /** The directory must be locked. */
  static async open(options: StateStoreOptions): Promise<StateStore> {
    const { disk, directory, clock, observer, onDamage = () => {} } = options
    const found = (identity: string, aside: string): void => onDamage({ kind: 'state', identity, aside })
    const files = new StateFiles(disk, directory, clock, found)
    const others = (await files.lookAround()).filter(name => !name.endsWith('.json'))
    await removeLeftovers(disk, directory, others)
    // An observer needs complete states.
    if (observer === undefined && !(await files.readSummary(others))) onDamage({ kind: 'summary' })
    const unsaved = new UnsavedRecords()
    const replay = (bytes: Uint8Array): void =>
      unsaved.add(JSON.parse(Buffer.from(bytes).toString()) as StateRecord)
    const life = { closing: false }
    const journal = await Journal.open(disk, directory, replay, others, roomOf(options, life))
    if (journal.droppedBytes > 0) onDamage({ kind: 'journal', bytes: journal.droppedBytes })
    return new StateStore(options, files, journal, unsaved, life)
  }

  /** May precede a series of `load`s: one listing of the directory serves them all. */
  async lookAround(): Promise<void> {
    await this.#files.lookAround()
  }

  async load(identity: string): Promise<Loaded> {
    const files = this.#files
    const journalled = this.#unsaved.of(identity)
    const found = await files.look(identity)
    if (found === undefined)
      return journalled.length === 0 ? NEW : this.#known(identity, this.#fold(undefined, journalled)!)
    const { modifiedAt, rest } = found
    if (rest !== undefined && journalled.length === 0) return { kind: 'resting', ...rest }
    this.#reads++
    const document = await files.read(identity)
    if (document === undefined) return this.load(identity)
    if (document.kind === 'state') return this.#known(identity, this.#fold(document.state, journalled)!)
    const aside = files.placeAside(identity)
    return { kind: 'corrupt', aside, modifiedAt, journalled: this.#fold(undefined, journalled) }
  }

  /** The current state of a job, for reading only. */
  async peek(identity: string): Promise<State | undefined> {
    await this.#saving.idle()
    return this.#fold(await this.#files.saved(identity), this.#unsaved.of(identity))
  }

  #known(identity: string, state: State): Loaded {
    this.#files.usable(identity, () => checkTimes(state))
    this.#options.observer?.loaded(state)
    return { kind: 'known', state }
  }

  async record(identity: string, seq: number, event: StateEvent): Promise<void> {
    const record: StateRecord = { Identity: identity, Seq: seq, Event: event }
    const begun = performance.now()
    const durable = this.#journal.append(JSON.stringify(record))
    // Known before it is durable: a state that is loaded meanwhile must not be older than this record.
    this.#unsaved.addPending(record)
    await durable
    this.#unsaved.becameDurable(record)
    this.#options.observer?.recorded((performance.now() - begun) / 1_000)
    // An intent alone causes no write of the state file: the start or withdrawal that follows causes one for both. That
    // avoids a write just before the start.
    if (event.kind !== 'intended') this.#flushSoon()
  }

  /** Writes the journal out into the state files; later if the disk is full, because the journal has everything. */
  flush(): Promise<void> {
    if (this.#flushTimer !== undefined) this.#options.clock.clearTimer(this.#flushTimer)
    this.#flushTimer = undefined
    return this.#saving.run(() => (this.#unsaved.isEmpty ? undefined : this.#saveIfRoom()))
  }

  /** The records of the journal. */
  get journalled(): readonly StateRecord[] {
    return this.#unsaved.all()
  }

  /** The number of files read since the store was opened. */
  get filesRead(): number {
    return this.#reads
  }

  /** Everything is loaded: drops the data that made loading faster. */
  loaded(): void {
    this.#files.loaded()
  }

  /** Notes the content of the files, so that the next start need not read them; in the order of the jobs. */
  async summarise(jobs: Iterable<Summarised>): Promise<void> {
    const files = this.#files
    const unsaved = this.#unsaved
    const lines: string[] = []
    let looks = 0
    for (const { identity, rest } of jobs) {
      const writes = this.#writes
      const line = rest && !unsaved.has(identity) ? await files.summaryLine(identity, rest) : undefined
      // A record or write that came meanwhile makes the line wrong.
      const holds = line !== undefined && writes === this.#writes && !unsaved.has(identity)
      lines.push(holds ? line : files.summaryPlace(identity))
      if (++looks % LOOKED_AT_ONCE === 0) await macrotask()
    }
    await files.writeSummary(lines)
  }

  /** Removes the states of jobs that are gone, once everything known of them is in their files. */
  async prune(choose: (states: readonly State[]) => readonly State[]): Promise<readonly State[]> {
    await this.flush()
    return this.#saving.run(async () => {
      const states: State[] = []
      for (const each of await this.#files.all()) if (!this.#unsaved.has(each.Identity)) states.push(each)
      const chosen = choose(states)
      await this.#files.remove(chosen.map(each => each.Identity))
      for (const { Identity: identity, ...state } of chosen)
        this.#options.onSaved?.({
          identity,
          endedClaims: [],
          forgotten: executionsOf({ Identity: identity, ...state }),
        })
      return chosen
    })
  }

  /** The daemon ends: from now on a record that finds no room on the disk fails, instead of waiting for room. */
  stopWaiting(): void {
    this.#life.closing = true
  }

  async close(): Promise<void> {
    this.stopWaiting()
    await this.flush()
    await this.#journal.close()
  }

  #flushSoon(): void {
    const { clock } = this.#options
    this.#lastRecord = clock.now()
    if (this.#flushTimer !== undefined) return
    this.#oldestUnsaved = this.#lastRecord
    this.#flushTimer = clock.setTimer(QUIET, () => this.#flushIfQuiet())
  }

  async #flushIfQuiet(): Promise<void> {
    const { clock, lull, caughtUp, fatal } = this.#options
    if (lull !== undefined) await lull()
    const now = clock.now()
    const quietAt = Math.min(this.#lastRecord + QUIET, this.#oldestUnsaved + LONGEST_LAG)
    if (now < quietAt && now >= this.#lastRecord) {
      this.#flushTimer = clock.setTimer(quietAt - now, () => this.#flushIfQuiet())
      return
    }
    try {
      await this.flush()
      caughtUp?.()
    } catch (error) {
      fatal(error as KronError)
    }
  }

  async #saveIfRoom(): Promise<void> {
    const { clock, noRoom } = this.#options
    try {
      await this.#save()
    } catch (error) {
      if (noRoom === undefined || !isNoRoom(error)) throw error
      noRoom(error as Error)
      if (this.#life.closing) return
      this.#flushTimer ??= clock.setTimer(FULL_DISK_RETRY_MS, () => this.#flushIfQuiet())
    }
  }

  async #save(): Promise<void> {
    await this.#options.beforeCut?.()
    const durableCounts = this.#unsaved.durableCounts()
    await this.#journal.cut(async () => {
      const begun = this.#options.clock.now()
      let paused = 0
      let isFirst = true
      for (const batch of this.#unsaved.batches(durableCounts, FILES_AT_ONCE)) {
        const now = this.#options.clock.now()
        if (!isFirst && now - this.#lastRecord < WRITE_BREAK_MS && paused * 2 < now - begun) {
          await new Promise<void>(resolve => this.#options.clock.setTimer(WRITE_BREAK_MS, resolve))
          paused += WRITE_BREAK_MS
        }
        isFirst = false
        await this.#write(batch)
      }
    })
  }

  async #write(batch: readonly Unsaved[]): Promise<void> {
    const states: State[] = []
    const changes: SavedState[] = []
    for (const { identity, records } of batch) {
      const before = await this.#files.saved(identity)
      const after = this.#fold(before, records)!
      if (after !== before) states.push(after)
      changes.push(savedState(before, after, records))
    }
    await this.#files.write(states)
    this.#writes++
    if (this.#options.onSaved !== undefined) for (const change of changes) this.#options.onSaved(change)
    this.#unsaved.written(batch)
  }

  #fold(state: State | undefined, records: readonly StateRecord[]): State | undefined {
    return records.reduce<State | undefined>(
      (each, record) => applyRecord(each, record, this.#options.history),
      state,
    )
  }
}

interface Life {
  closing: boolean
}

function roomOf({ noRoom, clock }: StateStoreOptions, life: Life): JournalRoom | undefined {
  if (noRoom === undefined) return undefined
  return {
    reserve: JOURNAL_RESERVE,
    low: noRoom,
    full: async error => {
      noRoom(error)
      await new Promise<void>(resolve => clock.setTimer(FULL_DISK_RETRY_MS, resolve))
      return !life.closing
    },
  }
}

/** A job and, if it is idle, the content of its file once everything is written. */
export interface Summarised {
  readonly identity: string
  readonly rest: Rest | undefined
}
