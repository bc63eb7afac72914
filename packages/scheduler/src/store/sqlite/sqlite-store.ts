import { resolve } from 'node:path'
import { LockHeldError } from '@kron/runtime'
import { OptionError } from '../../error/option-error.ts'
import type { TaskRecord } from '../../task/record.ts'
import type { Change, Store, StoreSession } from '../store.ts'
import { findDriver } from './driver.ts'
import { OpenSqliteStore } from './open-sqlite-store.ts'

/** Paths that are open in this process. Two copies of SQLite in one process do not see each other's locks. */
const KEY: unique symbol = Symbol.for('@kron/scheduler sqlite')
const shared = globalThis as { [KEY]?: Set<string> }
shared[KEY] ??= new Set()
const openPaths = shared[KEY]

/**
 * Keeps tasks in a dedicated SQLite file. Only one scheduler may use it at a time. Uses `node:sqlite`, or the package
 * `better-sqlite3` on a Node without it. A relative path is resolved once, now.
 */
export function sqliteStore(file: string): Store {
  if (typeof file !== 'string' || file === '')
    throw new OptionError('sqliteStore', 'path', file, 'must be the path of a file')
  const path = resolve(file)
  let open: OpenSqliteStore | undefined
  const load = async (session?: StoreSession): Promise<readonly TaskRecord[]> => {
    const driver = await findDriver()
    session?.signal.throwIfAborted()
    if (openPaths.has(path)) throw new LockHeldError(path, process.pid)
    const opened = new OpenSqliteStore(path, driver, session)
    openPaths.add(path)
    open = opened
    return opened.takeRecords()
  }
  return {
    load,
    commit: async (change: Change) => {
      if (open === undefined) throw new Error(`${path} is not open`)
      open.commit(change)
    },
    close: async () => {
      if (open === undefined) return
      const closing = open
      open = undefined
      openPaths.delete(path)
      closing.close()
    },
  }
}
