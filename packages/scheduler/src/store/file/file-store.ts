import { inspect } from 'node:util'
import { type Disk, FileLock, nodeDisk } from '@kron/runtime'
import type { TaskRecord } from '../../task/record.ts'
import type { Change, Store, StoreSession } from '../store.ts'
import { OpenFileStore } from './open-file-store.ts'

/** The world of a file store; tests and simulations give it another one. */
export interface FileStorePorts {
  readonly disk: Disk
  /** Takes the lock at once or throws. */
  readonly lock: (path: string) => { release(): void }
  /** How large the journal grows at least before it is folded into the snapshot, in bytes. */
  readonly smallestFold?: number
}

const REAL: FileStorePorts = { disk: nodeDisk, lock: path => FileLock.acquire(path) }

/** Keeps tasks in a directory, which one scheduler at a time may use. */
export function fileStore(directory: string, ports: FileStorePorts = REAL): Store {
  if (typeof directory !== 'string' || directory === '')
    throw new TypeError(`the file store needs the path of a directory, got ${inspect(directory)}`)
  let open: OpenFileStore | undefined
  // One thing after the other, so that a close waits for the commit before it.
  let work: Promise<unknown> = Promise.resolve()
  const queue = <T>(act: () => Promise<T>): Promise<T> => {
    const done = work.then(act)
    work = done.catch(() => {})
    return done
  }
  const load = async (session?: StoreSession): Promise<readonly TaskRecord[]> => {
    if (open !== undefined)
      throw new Error(`${directory} is open already: a store is for one scheduler at a time`)
    const opened = await OpenFileStore.open(directory, ports, session)
    if (session?.signal.aborted) {
      await opened.store.close()
      throw session.signal.reason
    }
    open = opened.store
    return opened.records
  }
  return {
    load: session => queue(() => load(session)),
    commit: (change: Change) =>
      queue(async () => {
        if (open === undefined) throw new Error(`${directory} is not open`)
        await open.commit(change)
      }),
    close: () =>
      queue(async () => {
        const closing = open
        open = undefined
        await closing?.close()
      }),
  }
}
