import type { TaskRecord } from '../../task/record.ts'
import type { Change, Store, StoreSession } from '../store.ts'
import { ActivePostgresStore } from './active-postgres-store.ts'
import { connectByPool, connectByString, type PostgresPool } from './client.ts'

export interface PostgresStoreOptions {
  /** Schedulers of the same name share their tasks, and one of them at a time is active. */
  readonly name: string
  /** A `pg.Pool`, of which one connection is taken for good; or else a connection string. */
  readonly pool?: PostgresPool
  readonly connectionString?: string
  /** How long an instance may hang before another one takes over, in milliseconds. */
  readonly sessionTimeout?: number
}

const SESSION_TIMEOUT = 30_000

/** Keeps tasks in PostgreSQL, so that several instances can stand by for each other. Not through a transaction pooler. */
export function postgresStore(options: PostgresStoreOptions): Store {
  const { name, pool, connectionString, sessionTimeout = SESSION_TIMEOUT } = options
  if (pool === undefined && connectionString === undefined) {
    throw new TypeError('the PostgreSQL store needs a pool or a connectionString')
  }
  const connect = pool === undefined ? connectByString(connectionString ?? '') : connectByPool(pool)
  let active: ActivePostgresStore | undefined
  const load = async (session?: StoreSession): Promise<readonly TaskRecord[]> => {
    if (active !== undefined && !active.closed)
      throw new Error(`the PostgreSQL store ${name} is open already: a store is for one scheduler at a time`)
    const opening = new ActivePostgresStore(connect, name, sessionTimeout, session)
    active = opening
    try {
      return (await opening.load()) as readonly TaskRecord[]
    } catch (error) {
      opening.close()
      throw error
    }
  }
  return {
    load,
    commit: async (change: Change) => {
      if (active === undefined) throw new Error('the PostgreSQL store is not open')
      await active.commit(change)
    },
    close: async () => {
      active?.close()
      active = undefined
    },
  }
}
