import { dirname } from 'node:path'
import {
  type Disk,
  Journal,
  JournalDamagedError,
  journalSegments,
  removeJournal,
  removeLeftovers,
  salvageJournal,
  writeAtomically,
} from '@kron/runtime'
import { nameIn, readRecord } from '../../task/read-record.ts'
import type { TaskRecord } from '../../task/record.ts'
import { RecordTable } from '../record-table.ts'
import { type Change, StoreLostError, type StoreSession } from '../store.ts'
import { ChangeReader, changeTexts } from './change-text.ts'
import { makeDirectories, readIfThere } from './directory.ts'
import type { FileStorePorts, StoreLock } from './file-store.ts'
import { snapshotPath, writeSnapshot } from './snapshot-file.ts'
import { readSnapshot, SnapshotFormatError } from './snapshot-text.ts'

/** The journal is folded into a new snapshot once it is at least this large and as large as the old snapshot. */
const SMALLEST_FOLD = 4 << 20

/** A directory with a lock, a snapshot, and a journal of all commits since the snapshot. */
export class OpenFileStore {
  readonly #disk: Disk
  readonly #directory: string
  readonly #lock: StoreLock
  readonly #smallestFold: number
  readonly #session: StoreSession | undefined
  readonly #table = new RecordTable()
  /** Values that are not records. The scheduler reports them. */
  readonly #foreign: unknown[] = []
  /** Parts of the journal that could not be parsed. */
  readonly #unreadable: string[] = []
  /** Damaged files. A copy of each is kept. */
  readonly #spoiled = new Map<string, Uint8Array>()
  /** Undefined after a failed write: the disk must be read again before the next write. */
  #journal: Journal | undefined
  #snapshotSize = 0
  #damaged = false
  #fold: Promise<void> | undefined

  private constructor(
    directory: string,
    ports: FileStorePorts,
    lock: StoreLock,
    session: StoreSession | undefined,
  ) {
    this.#disk = ports.disk
    this.#directory = directory
    this.#session = session
    this.#smallestFold = ports.smallestFold ?? SMALLEST_FOLD
    this.#lock = lock
  }

  static async open(
    directory: string,
    ports: FileStorePorts,
    session?: StoreSession,
  ): Promise<{ readonly store: OpenFileStore; readonly records: readonly TaskRecord[] }> {
    // The lock is taken before the directory is created, which may have vanished while another process holds it.
    await makeDirectories(ports.disk, dirname(directory))
    const lock = await ports.lock(lockPath(directory))
    const store = new OpenFileStore(directory, ports, lock, session)
    try {
      await makeDirectories(ports.disk, directory)
      await ports.disk.syncDirectory(dirname(directory))
      await removeLeftovers(ports.disk, directory)
      const segments = await journalSegments(ports.disk, directory)
      const journal = await store.#readSnapshot(segments)
      // If a sound snapshot names a segment, the segment belongs to this store, even if it is damaged.
      await store.#openJournal(segment => journal !== undefined && segment >= journal)
      if (store.#damaged) await store.#startAfresh()
      else if (journal === undefined) await store.#writeSnapshot()
      const records: unknown[] = [...store.#table, ...store.#foreign]
      store.#foreign.length = 0
      return { store, records: records as TaskRecord[] }
    } catch (error) {
      await store.close()
      throw error
    }
  }

  async commit(change: Change): Promise<void> {
    await this.#checkLock()
    this.#journal ??= await Journal.open(this.#disk, this.#directory, this.#replayer())
    const texts = [...changeTexts(change)]
    // A fold between two parts would lose the first part.
    if (texts.length > 1) await this.#fold
    try {
      // The texts are passed as bytes, because the journal reserves space for the longest encoding of a string.
      for (const text of texts) await this.#journal.append(Buffer.from(text))
    } catch (error) {
      await this.#closeJournal()
      throw error
    }
    this.#table.apply(change)
    this.#foldIfLarge(this.#journal)
  }

  async close(): Promise<void> {
    await this.#fold
    await this.#closeJournal()
    this.#lock.release()
  }

  /** Throws if the directory no longer belongs to this store. Recreates it if it has vanished. */
  async #checkLock(): Promise<void> {
    const loss = this.#lock.loss?.()
    if (loss === undefined) return
    if (loss === 'superseded') throw new StoreLostError(this.#directory)
    if (loss === 'replaced')
      throw new Error(
        `${this.#directory} is another directory now; nothing is stored until the first one is back`,
      )
    const problem = `${this.#directory} has vanished; it is made again from memory`
    this.#session?.onError('find the store', new Error(problem))
    await this.#makeAgain()
  }

  /** Writes the whole table in memory, which holds all commits, to a new directory. */
  async #makeAgain(): Promise<void> {
    await this.#fold
    await this.#closeJournal()
    await makeDirectories(this.#disk, this.#directory)
    await this.#lock.restore?.()
    await writeSnapshot(this.#disk, this.#directory, this.#table)
    this.#journal = await Journal.open(this.#disk, this.#directory, () => {})
    await this.#writeSnapshot()
  }

  async #closeJournal(): Promise<void> {
    const journal = this.#journal
    this.#journal = undefined
    await journal?.close().catch(error => this.#session?.onError('close the journal', error))
  }

  /** Returns the journal segment that follows the snapshot, as named in the snapshot. */
  async #readSnapshot(segments: readonly number[]): Promise<number | undefined> {
    const path = snapshotPath(this.#directory)
    const bytes = await readIfThere(this.#disk, path)
    if (bytes === undefined) {
      // The snapshot carries the format version, so it is written before anything else.
      if (segments.length === 0) await writeSnapshot(this.#disk, this.#directory, [])
      else this.#reportDamage(path, undefined, new Error('it is missing, and what only it held is lost'))
      return undefined
    }
    this.#snapshotSize = bytes.length
    try {
      const journal = readSnapshot(bytes, {
        onRecord: record => this.#table.put(record),
        onDamage: (value, error) => this.#reportDamage(path, value, error),
      })
      if (this.#damaged) this.#spoiled.set(path, bytes)
      if (journal !== undefined && !segments.includes(journal)) {
        const problem = `segment ${journal} of the journal is missing, and what was committed to it is lost`
        this.#reportDamage(this.#directory, undefined, new Error(problem))
      }
      return journal
    } catch (error) {
      if (error instanceof SnapshotFormatError) throw new Error(`cannot use ${path}: ${error.message}`)
      throw error
    }
  }

  async #writeSnapshot(): Promise<void> {
    // The newest segment is the current one.
    const journal = (await journalSegments(this.#disk, this.#directory)).at(-1)
    this.#snapshotSize = await writeSnapshot(this.#disk, this.#directory, this.#table, journal)
  }

  async #openJournal(isOurs: (segment: number) => boolean): Promise<void> {
    try {
      this.#journal = await Journal.open(this.#disk, this.#directory, this.#replayer())
      await this.#reportTail(this.#journal.droppedTail)
    } catch (error) {
      if (!(error instanceof JournalDamagedError)) throw error
      for (const damage of await salvageJournal(this.#disk, this.#directory, this.#replayer(), isOurs)) {
        this.#reportDamage(damage.path, undefined, damage)
        this.#spoiled.set(damage.path, await this.#disk.read(damage.path))
      }
    }
  }

  /** The damaged tail may be a commit that was already confirmed. This cannot be known, so it is reported. */
  async #reportTail(tail: Uint8Array | undefined): Promise<void> {
    if (tail === undefined) return
    const problem = `the last commit of the journal, ${tail.length} bytes, is spoiled and was set aside`
    this.#session?.onDamage(new Error(`${this.#directory}: ${problem}`))
    await this.#setAside(`${this.#directory}/journal`, tail)
  }

  #replayer(): (record: Uint8Array) => void {
    const reader = new ChangeReader()
    return bytes => {
      const text = Buffer.from(bytes).toString()
      try {
        for (const { put, remove } of reader.read(text)) {
          for (const value of put) this.#replayPut(value)
          for (const name of remove) this.#table.remove(name)
        }
      } catch (error) {
        this.#unreadable.push(text)
        this.#reportDamage(this.#directory, undefined, error as Error)
      }
    }
  }

  #replayPut(value: unknown): void {
    const record = readRecord(value)
    if (!(record instanceof Error)) {
      this.#table.put(record)
      return
    }
    this.#table.remove(nameIn(value) ?? '')
    this.#unreadable.push(JSON.stringify(value))
    this.#reportDamage(this.#directory, value, record)
  }

  /** Reports damage. A value that is not a record goes to the scheduler, which reports it with its task's name. */
  #reportDamage(path: string, value: unknown, error: Error): void {
    this.#damaged = true
    if (value === undefined) this.#session?.onDamage(new Error(`${path}: ${error.message}`, { cause: error }))
    else this.#foreign.push(value)
  }

  async #setAside(path: string, bytes: Uint8Array): Promise<void> {
    const copy = `${path}.damaged-${new Date().toISOString().replaceAll(':', '')}`
    await writeAtomically(this.#disk, copy, bytes)
  }

  /** Stores only the records that could be read. */
  async #startAfresh(): Promise<void> {
    await this.#closeJournal()
    for (const [path, bytes] of this.#spoiled) await this.#setAside(path, bytes)
    this.#spoiled.clear()
    if (this.#unreadable.length > 0) {
      await this.#setAside(`${this.#directory}/journal`, Buffer.from(this.#unreadable.join('\n')))
      this.#unreadable.length = 0
    }
    // The snapshot names no segment until there is a new one.
    await writeSnapshot(this.#disk, this.#directory, this.#table)
    await removeJournal(this.#disk, this.#directory)
    this.#journal = await Journal.open(this.#disk, this.#directory, () => {})
    await this.#writeSnapshot()
    this.#damaged = false
  }

  #foldIfLarge(journal: Journal): void {
    if (this.#fold !== undefined || journal.size < Math.max(this.#smallestFold, this.#snapshotSize)) return
    this.#fold = journal
      .cut(() => this.#writeSnapshot())
      .catch(error => this.#session?.onError('fold the journal', error))
      .finally(() => {
        this.#fold = undefined
      })
  }
}

const lockPath = (directory: string): string => `${directory}/lock`
