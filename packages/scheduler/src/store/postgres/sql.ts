/** The version of the tables that this code writes. Tables of a newer version are not changed. */
export const VERSION = 1

/** The statements of a store. Its tables are in the given schema, or in the first schema of the search path. */
export interface Sql {
  readonly createTables: string
  readonly tryLock: string
  /** Terminates an old session of this instance that the server still considers alive, if it holds the lock. */
  readonly endGhost: string
  readonly readEpoch: string
  readonly nextEpoch: string
  readonly readRecords: string
  readonly putRecords: string
  readonly removeRecords: string
}

export function sqlFor(schema: string | undefined): Sql {
  const prefix = schema === undefined ? '' : `${identifier(schema)}.`
  const schedulers = `${prefix}kron_schedulers`
  const tasks = `${prefix}kron_scheduler_tasks`
  // Without a schema, the key is the one of the first releases, which may run beside this one.
  const space = schema === undefined ? 'kron-scheduler ' : `kron-scheduler in ${identifier(schema)} `
  const lock = `hashtextextended(${literal(space)} || $1, 0)`
  const createSchema = schema === undefined ? '' : `CREATE SCHEMA IF NOT EXISTS ${identifier(schema)};`
  return {
    // Only one session at a time creates tables, because concurrent `IF NOT EXISTS` statements can fail.
    createTables: `
      SELECT pg_advisory_xact_lock(hashtextextended('kron-scheduler tables', 0));
      ${createSchema}
      CREATE TABLE IF NOT EXISTS ${schedulers} (
        name text PRIMARY KEY,
        version integer NOT NULL,
        epoch bigint NOT NULL
      );
      CREATE TABLE IF NOT EXISTS ${tasks} (
        scheduler text NOT NULL,
        name text NOT NULL,
        record json NOT NULL,
        PRIMARY KEY (scheduler, name)
      )`,
    tryLock: `SELECT pg_try_advisory_lock(${lock}) AS locked, pg_backend_pid() AS pid`,
    endGhost: `
      SELECT pg_terminate_backend(pid) FROM pg_locks
      WHERE locktype = 'advisory' AND objsubid = 1 AND pid = $2
        AND (classid::bigint << 32 | objid::bigint) = ${lock}`,
    readEpoch: `SELECT version, epoch FROM ${schedulers} WHERE name = $1`,
    nextEpoch: `
      INSERT INTO ${schedulers} AS known (name, version, epoch) VALUES ($1, ${VERSION}, 1)
      ON CONFLICT (name) DO UPDATE SET epoch = known.epoch + 1
      RETURNING epoch`,
    readRecords: `SELECT record FROM ${tasks} WHERE scheduler = $1`,
    putRecords: `
      INSERT INTO ${tasks} (scheduler, name, record)
      SELECT $1, name, record FROM unnest($2::text[], $3::json[]) AS put (name, record)
      ON CONFLICT (scheduler, name) DO UPDATE SET record = excluded.record`,
    removeRecords: `DELETE FROM ${tasks} WHERE scheduler = $1 AND name = ANY ($2::text[])`,
  }
}

const identifier = (name: string): string => `"${name.replaceAll('"', '""')}"`

const literal = (text: string): string => `E'${text.replace(/[\\']/g, each => `\\${each}`)}'`

/** The server ends a session that is silent for this long, so that a hung instance does not keep the lock. */
export const sessionTimeouts = (milliseconds: number): string => `
  SET idle_session_timeout = ${milliseconds};
  SET idle_in_transaction_session_timeout = ${milliseconds};
  SET statement_timeout = 0;
  SET client_min_messages = warning`

/** A name that the database can store: NUL and lone surrogates are escaped. */
export const columnText = (name: string): string =>
  name.replace(/[\\\0\ud800-\udfff]/gu, each => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`)
