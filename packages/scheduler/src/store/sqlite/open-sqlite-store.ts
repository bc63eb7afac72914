import * as fs from 'node:fs'
import { dirname } from 'node:path'
import { hasCode, LockHeldError, messageOf } from '@kron/runtime'
import type { TaskRecord } from '../../task/record.ts'
import type { Change, StoreSession } from '../store.ts'
import type { Database, OpenDatabase } from './driver.ts'
import {
  nameText,
  PUT,
  prepareSchema,
  READ,
  REMOVE,
  recordIn,
  rowOf,
  TAKE,
  TRACE,
  TRY_TO_WRITE,
} from './schema.ts'

const READ_ONLY = /readonly database/
const BUSY = /database is locked|SQLITE_BUSY/
const DAMAGED = /malformed|not a database|corrupt|disk image|file is encrypted|unsupported file format/i

/** A database file that is locked by this process. */
export class OpenSqliteStore {
  readonly #path: string
  readonly #open: OpenDatabase
  readonly #session: StoreSession | undefined
  #database: Database
  #inode: bigint | undefined
  #records: unknown[]

  constructor(path: string, open: OpenDatabase, session: StoreSession | undefined) {
    this.#path = path
    this.#open = open
    this.#session = session
    fs.mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    const { database, records } = this.#openOrSalvage()
    this.#database = database
    this.#records = records
    this.#inode = inodeOf(path)
  }

  /** The records that the file held when it was opened. Only the first call returns them. */
  takeRecords(): readonly TaskRecord[] {
    const records = this.#records as TaskRecord[]
    this.#records = []
    return records
  }

  commit({ put, remove }: Change): void {
    this.#checkPlace()
    const database = this.#database
    database.exec('BEGIN IMMEDIATE')
    try {
      const putRow = database.prepare(PUT)
      const removeRow = database.prepare(REMOVE)
      for (const record of put) putRow.run(...rowOf(record))
      for (const name of remove) removeRow.run(nameText(name))
      database.exec('COMMIT')
    } catch (error) {
      rollBack(database)
      throw error
    }
  }

  close(): void {
    this.#database.close()
  }

  #openOrSalvage(): { database: Database; records: unknown[] } {
    const found: unknown[] = []
    let database: Database | undefined
    try {
      database = this.#take()
      const spoiled = this.#readAll(database, found)
      checkWritable(database, this.#path)
      if (spoiled === 0) return { database, records: found }
      throw new Error(`malformed: ${spoiled} rows fail their checksums`)
    } catch (error) {
      database?.close()
      if (error instanceof LockHeldError) throw error
      if (!DAMAGED.test(messageOf(error)) || !this.#isOurs()) throw refusal(this.#path, error)
      return { database: this.#startAfresh(found, error), records: found }
    }
  }

  #take(): Database {
    const database = this.#open(this.#path)
    try {
      database.exec(TAKE)
      prepareSchema(database, this.#path)
      return database
    } catch (error) {
      database.close()
      throw BUSY.test(messageOf(error)) ? new LockHeldError(this.#path, undefined) : error
    }
  }

  /** Reads all records into `found` and returns the number of damaged rows. Throws if SQLite finds a damaged page. */
  #readAll(database: Database, found: unknown[]): number {
    let spoiled = 0
    const statement = database.prepare(READ)
    for (const row of statement.iterate?.() ?? statement.all()) {
      const value = recordIn(row)
      if (value === undefined) spoiled++
      else found.push(value)
    }
    const [check] = database.prepare('PRAGMA quick_check(1)').all() as Record<string, unknown>[]
    if (check?.['quick_check'] !== 'ok') throw new Error(`malformed: ${String(check?.['quick_check'])}`)
    return spoiled
  }

  /** Whether an unreadable file belongs to this store: it still contains the table's name. */
  #isOurs(): boolean {
    return fs.readFileSync(this.#path).includes(TRACE)
  }

  /** Sets the damaged file aside and stores the readable records in a new one. */
  #startAfresh(found: readonly unknown[], error: unknown): Database {
    const copy = `${this.#path}.damaged-${new Date().toISOString().replaceAll(':', '')}`
    this.#session?.onDamage(
      new Error(`${this.#path}: ${messageOf(error)}; set aside as ${copy}`, { cause: error }),
    )
    for (const suffix of ['', '-wal', '-journal']) renameIfThere(`${this.#path}${suffix}`, `${copy}${suffix}`)
    return this.#write(found as readonly TaskRecord[])
  }

  #write(records: readonly TaskRecord[]): Database {
    const database = this.#take()
    database.exec('BEGIN')
    const putRow = database.prepare(PUT)
    for (const record of records) if (typeof record?.name === 'string') putRow.run(...rowOf(record))
    database.exec('COMMIT')
    return database
  }

  /** Recreates a removed file, because its open handle can still be read. Throws if another file has replaced it. */
  #checkPlace(): void {
    const inode = inodeOf(this.#path)
    if (inode === this.#inode) return
    if (inode !== undefined)
      throw new Error(`${this.#path} is another file now; nothing is stored until the first one is back`)
    this.#session?.onError(
      'find the store',
      new Error(`${this.#path} has vanished; it is made again from memory`),
    )
    const found: unknown[] = []
    this.#readAll(this.#database, found)
    fs.mkdirSync(dirname(this.#path), { recursive: true, mode: 0o700 })
    const old = this.#database
    this.#database = this.#write(found as readonly TaskRecord[])
    this.#inode = inodeOf(this.#path)
    old.close()
  }
}

const refusal = (path: string, cause: unknown): Error => {
  const prefix = `cannot use ${path}: `
  const message = messageOf(cause)
  return message.startsWith(prefix) ? (cause as Error) : new Error(prefix + message, { cause })
}

/** A damaged header can make SQLite open a file as read-only. If the process may write the file, this is damage. */
function checkWritable(database: Database, path: string): void {
  try {
    database.exec(TRY_TO_WRITE)
  } catch (error) {
    rollBack(database)
    if (!READ_ONLY.test(messageOf(error))) throw error
    // The file is not opened here: closing any file handle of a database releases its locks.
    fs.accessSync(path, fs.constants.W_OK)
    throw new Error('malformed: its header allows no writing')
  }
}

function rollBack(database: Database): void {
  try {
    database.exec('ROLLBACK')
  } catch {
    // The failed statement may have ended the transaction.
  }
}

function renameIfThere(from: string, to: string): void {
  try {
    fs.renameSync(from, to)
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw error
  }
}

function inodeOf(path: string): bigint | undefined {
  return fs.statSync(path, { bigint: true, throwIfNoEntry: false })?.ino
}
