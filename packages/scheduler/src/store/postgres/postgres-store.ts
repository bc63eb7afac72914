import { OptionError } from '../../error/option-error.ts'
import type { TaskRecord } from '../../task/record.ts'
import type { Change, Store, StoreSession } from '../store.ts'
import { ActivePostgresStore } from './active-postgres-store.ts'
import { connectByPool, connectByString, type PostgresPool } from './client.ts'

export interface PostgresStoreOptions {
  /** Schedulers with the same name share their tasks. Only one of them is active at a time. */
  readonly name: string
  /** A `pg.Pool`, from which one connection is taken permanently. The alternative is `connectionString`. */
  readonly pool?: PostgresPool
  readonly connectionString?: string
  /** The schema of the tables, created if it is missing. The default comes from the session's search path. */
  readonly schema?: string
  /** The time after which another instance takes over from one that hangs, in milliseconds. */
  readonly sessionTimeout?: number
}

const SESSION_TIMEOUT = 30_000

/** Keeps tasks in PostgreSQL, so that instances can stand by for each other. Does not support transaction poolers. */
export function postgresStore(options: PostgresStoreOptions): Store {
  const { name, pool, connectionString, schema, sessionTimeout = SESSION_TIMEOUT } = checked(options)
  const connect = pool === undefined ? connectByString(connectionString ?? '') : connectByPool(pool)
  let active: ActivePostgresStore | undefined
  const load = async (session?: StoreSession): Promise<readonly TaskRecord[]> => {
    if (active !== undefined && !active.closed)
      throw new Error(`the PostgreSQL store ${name} is open already: a store is for one scheduler at a time`)
    const opening = new ActivePostgresStore(connect, { name, schema, timeoutMs: sessionTimeout }, session)
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

const NAMES = ['name', 'pool', 'connectionString', 'schema', 'sessionTimeout']

/** Checks the options of callers that do not use TypeScript. */
function checked(options: PostgresStoreOptions): PostgresStoreOptions {
  const refuse = (option: string, value: unknown, reason: string): never => {
    throw new OptionError('postgresStore', option, value, reason)
  }
  if (typeof options !== 'object' || options === null) refuse('options', options, 'must be an object')
  const { name, pool, connectionString, schema, sessionTimeout = SESSION_TIMEOUT } = options
  for (const [option, value] of Object.entries(options))
    if (!NAMES.includes(option)) refuse(option, value, `is no option; there are ${NAMES.join(', ')}`)
  if (typeof name !== 'string' || name === '') refuse('name', name, 'must be a non-empty string')
  if (pool === undefined && connectionString === undefined)
    refuse('pool or connectionString', undefined, 'must be given')
  if (schema !== undefined && (typeof schema !== 'string' || schema === '' || schema.includes('\0')))
    refuse('schema', schema, 'must be the name of a schema')
  if (!Number.isInteger(sessionTimeout) || sessionTimeout < 100)
    refuse('sessionTimeout', sessionTimeout, 'must be a whole number of milliseconds, at least 100')
  return options
}
