import { dirname } from 'node:path'
import {
  type Disk,
  hasCode,
  Journal,
  JournalDamagedError,
  removeJournal,
  removeLeftovers,
  salvageJournal,
  writeAtomically,
} from '@kron/runtime'
import { nameIn, readRecord } from '../../task/read-record.ts'
import type { TaskRecord } from '../../task/record.ts'
import { RecordTable } from '../record-table.ts'
import type { Change, StoreSession } from '../store.ts'
import { ChangeReader, changeTexts } from './change-text.ts'
import type { FileStorePorts } from './file-store.ts'
import { snapshotPath, writeSnapshot } from './snapshot-file.ts'
import { readSnapshot, SnapshotFormatError } from './snapshot-text.ts'

/** The journal may be as large as the snapshot, and this much anyway, before it is folded into a new one. */
const SMALLEST_FOLD = 4 << 20

/** A directory with a lock, a snapshot and the journal of what was committed since. */
export class OpenFileStore {
  readonly #disk: Disk
  readonly #directory: string
  readonly #lock: { release(): void }
  readonly #smallestFold: number
  readonly #session: StoreSession | undefined
  readonly #table = new RecordTable()
  /** What was read but is no record; the scheduler reports it. */
  readonly #foreign: unknown[] = []
  /** What of the journal could not be understood. */
  readonly #unreadable: string[] = []
  /** Undefined after a failed write: what is on the disk must be read before more is written. */
  #journal: Journal | undefined
  #snapshotSize = 0
  #damaged = false
  #fold: Promise<void> | undefined

  private constructor(directory: string, ports: FileStorePorts, session: StoreSession | undefined) {
    this.#disk = ports.disk
    this.#directory = directory
    this.#session = session
    this.#smallestFold = ports.smallestFold ?? SMALLEST_FOLD
    this.#lock = ports.lock(`${directory}/lock`)
  }

  static async open(
    directory: string,
    ports: FileStorePorts,
    session?: StoreSession,
  ): Promise<{ readonly store: OpenFileStore; readonly records: readonly TaskRecord[] }> {
    await makeDirectories(ports.disk, directory)
    const store = new OpenFileStore(directory, ports, session)
    try {
      await removeLeftovers(ports.disk, directory)
      await store.#readSnapshot()
      await store.#openJournal()
      if (store.#damaged) await store.#startAfresh()
      const records: unknown[] = [...store.#table, ...store.#foreign]
      store.#foreign.length = 0
      return { store, records: records as TaskRecord[] }
    } catch (error) {
      await store.close()
      throw error
    }
  }

  async commit(change: Change): Promise<void> {
    this.#journal ??= await Journal.open(this.#disk, this.#directory, this.#replayer())
    const texts = [...changeTexts(change)]
    // A fold between two parts would drop the first.
    if (texts.length > 1) await this.#fold
    try {
      // Bytes, because the journal sets aside room for the longest form of a text.
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

  async #closeJournal(): Promise<void> {
    const journal = this.#journal
    this.#journal = undefined
    await journal?.close().catch(error => this.#session?.onError('close the journal', error))
  }

  async #readSnapshot(): Promise<void> {
    const path = snapshotPath(this.#directory)
    const bytes = await readIfThere(this.#disk, path)
    if (bytes === undefined) {
      // The snapshot carries the format's version, so there is one before anything else.
      await writeSnapshot(this.#disk, this.#directory, [])
      return
    }
    this.#snapshotSize = bytes.length
    try {
      readSnapshot(bytes, {
        onRecord: record => this.#table.put(record),
        onDamage: (value, error) => this.#reportDamage(path, value, error),
      })
    } catch (error) {
      if (error instanceof SnapshotFormatError) throw new Error(`cannot use ${path}: ${error.message}`)
      throw error
    }
    if (this.#damaged) await this.#setAside(path, bytes)
  }

  async #openJournal(): Promise<void> {
    try {
      this.#journal = await Journal.open(this.#disk, this.#directory, this.#replayer())
    } catch (error) {
      // Headers are written atomically: a wrong one is another program's, or of a newer version.
      if (!(error instanceof JournalDamagedError) || error.offset === 0) throw error
      for (const damage of await salvageJournal(this.#disk, this.#directory, this.#replayer())) {
        this.#reportDamage(damage.path, undefined, damage)
        await this.#setAside(damage.path, await this.#disk.read(damage.path))
      }
    }
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

  /** What is no record goes to the scheduler, which reports it with the name of its task. */
  #reportDamage(path: string, value: unknown, error: Error): void {
    this.#damaged = true
    if (value === undefined) this.#session?.onDamage(new Error(`${path}: ${error.message}`, { cause: error }))
    else this.#foreign.push(value)
  }

  async #setAside(path: string, bytes: Uint8Array): Promise<void> {
    const copy = `${path}.damaged-${new Date().toISOString().replaceAll(':', '')}`
    await writeAtomically(this.#disk, copy, bytes)
  }

  /** Stores what could be read, and nothing else. */
  async #startAfresh(): Promise<void> {
    await this.#closeJournal()
    if (this.#unreadable.length > 0) {
      await this.#setAside(`${this.#directory}/journal`, Buffer.from(this.#unreadable.join('\n')))
      this.#unreadable.length = 0
    }
    this.#snapshotSize = await writeSnapshot(this.#disk, this.#directory, this.#table)
    await removeJournal(this.#disk, this.#directory)
    this.#journal = await Journal.open(this.#disk, this.#directory, () => {})
    this.#damaged = false
  }

  #foldIfLarge(journal: Journal): void {
    if (this.#fold !== undefined || journal.size < Math.max(this.#smallestFold, this.#snapshotSize)) return
    this.#fold = journal
      .cut(async () => {
        this.#snapshotSize = await writeSnapshot(this.#disk, this.#directory, this.#table)
      })
      .catch(error => this.#session?.onError('fold the journal', error))
      .finally(() => {
        this.#fold = undefined
      })
  }
}

async function readIfThere(disk: Disk, path: string): Promise<Uint8Array | undefined> {
  try {
    return await disk.read(path)
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined
    throw error
  }
}

async function makeDirectories(disk: Disk, path: string): Promise<void> {
  try {
    await makeDirectory(disk, path)
  } catch (error) {
    if (!hasCode(error, 'ENOENT') || dirname(path) === path) throw error
    await makeDirectories(disk, dirname(path))
    await makeDirectory(disk, path)
  }
}

async function makeDirectory(disk: Disk, path: string): Promise<void> {
  try {
    await disk.makeDirectory(path, 0o700)
    await disk.syncDirectory(dirname(path))
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error
  }
}
