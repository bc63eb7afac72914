import { crc32 } from 'node:zlib'
import type { TaskRecord } from '../../task/record.ts'
import type { Database } from './driver.ts'

/** "Kron" in ASCII: the application ID of the SQLite file. */
const APPLICATION = 0x4b726f6e
const VERSION = 1

/** Locks the file for one process, from its first statement until it closes the file or dies. */
export const TAKE = `
  PRAGMA locking_mode = EXCLUSIVE;
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = FULL;
  BEGIN EXCLUSIVE;
  COMMIT`

const CREATE = `
  BEGIN;
  CREATE TABLE kron_tasks (name TEXT PRIMARY KEY, record TEXT NOT NULL, crc INTEGER NOT NULL) WITHOUT ROWID;
  PRAGMA application_id = ${APPLICATION};
  PRAGMA user_version = ${VERSION};
  COMMIT`

export const TRY_TO_WRITE = `BEGIN IMMEDIATE; PRAGMA user_version = ${VERSION}; ROLLBACK`

/** The table's name. It is still in the file if other parts are damaged. */
export const TRACE = 'kron_tasks'

export const PUT = `
  INSERT INTO kron_tasks (name, record, crc) VALUES (?, ?, ?)
  ON CONFLICT (name) DO UPDATE SET record = excluded.record, crc = excluded.crc`
export const REMOVE = 'DELETE FROM kron_tasks WHERE name = ?'
export const READ = 'SELECT record, crc FROM kron_tasks'

/** Creates the table in a new file. Throws if the file belongs to another program or a newer version. */
export function prepareSchema(database: Database, path: string): void {
  const application = pragma(database, 'application_id')
  const version = pragma(database, 'user_version')
  const [{ tables } = { tables: 0 }] = database
    .prepare('SELECT count(*) AS tables FROM sqlite_master')
    .all() as {
    tables: number
  }[]
  if (application === 0 && version === 0 && tables === 0) return database.exec(CREATE)
  if (application !== APPLICATION)
    throw new Error(
      `cannot use ${path}: it is a database of another program; give the scheduler a file of its own`,
    )
  if (version !== VERSION)
    throw new Error(
      `cannot use ${path}: it has version ${version}, and this version of Kron knows ${VERSION}; use the newer Kron, or another file`,
    )
}

function pragma(database: Database, name: string): number {
  const [row] = database.prepare(`PRAGMA ${name}`).all() as Record<string, number>[]
  return row?.[name] ?? 0
}

/** The column values of a record. */
export const rowOf = (record: TaskRecord): [name: string, json: string, crc: number] => {
  const json = JSON.stringify(record)
  return [nameText(record.name), json, crc32(json)]
}

/** A name that SQLite can store: NUL and lone surrogates are escaped. */
export const nameText = (name: string): string =>
  name.replace(/[\\\0\ud800-\udfff]/gu, each => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** The value of a row. Undefined if the row is damaged. */
export function recordIn(row: unknown): unknown {
  const { record, crc } = row as { record: unknown; crc: unknown }
  if (typeof record !== 'string' || crc32(record) !== crc) return undefined
  try {
    return JSON.parse(record)
  } catch {
    return undefined
  }
}
