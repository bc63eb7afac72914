import { resolve } from 'node:path'
import { DirectoryLock, type Disk, type LockLoss, nodeDisk, SerialQueue } from '@kron/runtime'
import { OptionError } from '../../error/option-error.ts'
import type { TaskRecord } from '../../task/record.ts'
import type { Change, Store, StoreSession } from '../store.ts'
import { OpenFileStore } from './open-file-store.ts'

/** An exclusive lock on a directory. */
export interface StoreLock {
  /** The reason why the lock was lost. Undefined while it is held. */
  loss?(): LockLoss | undefined
  /** Takes the lock again after the directory was recreated. */
  restore?(): Promise<void>
  release(): void
}

/** The environment of a file store. Tests and simulations replace it. */
export interface FileStorePorts {
  readonly disk: Disk
  /** Takes the lock, or throws. */
  readonly lock: (path: string) => StoreLock | Promise<StoreLock>
  /** The smallest size of the journal, in bytes, at which it is folded into the snapshot. */
  readonly smallestFold?: number
}

const REAL: FileStorePorts = { disk: nodeDisk, lock: path => DirectoryLock.acquire(path) }

/** Keeps tasks in a directory. Only one scheduler may use it at a time. A relative path is resolved once, now. */
export function fileStore(path: string, ports: FileStorePorts = REAL): Store {
  if (typeof path !== 'string' || path === '')
    throw new OptionError('fileStore', 'directory', path, 'must be the path of a directory')
  const directory = ports === REAL || ports.disk === nodeDisk ? resolve(path) : path
  let open: OpenFileStore | undefined
  // Operations run one after the other, so that a close waits for the commit before it.
  const operations = new SerialQueue()
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
    load: session => operations.run(() => load(session)),
    commit: (change: Change) =>
      operations.run(async () => {
        if (open === undefined) throw new Error(`${directory} is not open`)
        await open.commit(change)
      }),
    close: () =>
      operations.run(async () => {
        const closing = open
        open = undefined
        await closing?.close()
      }),
  }
}
