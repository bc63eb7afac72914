/** Only the newest version of the tables is written; a newer one is left alone. */
export const VERSION = 1

/** Setting up is done by one session at a time: `IF NOT EXISTS` alone does not stand two at once. */
export const CREATE_TABLES = `
  SELECT pg_advisory_xact_lock(hashtextextended('kron-scheduler tables', 0));
  CREATE TABLE IF NOT EXISTS kron_schedulers (
    name text PRIMARY KEY,
    version integer NOT NULL,
    epoch bigint NOT NULL
  );
  CREATE TABLE IF NOT EXISTS kron_scheduler_tasks (
    scheduler text NOT NULL,
    name text NOT NULL,
    record json NOT NULL,
    PRIMARY KEY (scheduler, name)
  )`

const LOCK = `hashtextextended('kron-scheduler ' || $1, 0)`

export const TRY_LOCK = `SELECT pg_try_advisory_lock(${LOCK}) AS locked, pg_backend_pid() AS pid`

/** Ends a session of ours that the server still believes in, if it holds the lock. */
export const END_GHOST = `
  SELECT pg_terminate_backend(pid) FROM pg_locks
  WHERE locktype = 'advisory' AND objsubid = 1 AND pid = $2
    AND (classid::bigint << 32 | objid::bigint) = ${LOCK}`

export const READ_EPOCH = 'SELECT version, epoch FROM kron_schedulers WHERE name = $1'

export const NEXT_EPOCH = `
  INSERT INTO kron_schedulers (name, version, epoch) VALUES ($1, ${VERSION}, 1)
  ON CONFLICT (name) DO UPDATE SET epoch = kron_schedulers.epoch + 1
  RETURNING epoch`

export const READ_RECORDS = 'SELECT record FROM kron_scheduler_tasks WHERE scheduler = $1'

export const PUT_RECORDS = `
  INSERT INTO kron_scheduler_tasks (scheduler, name, record)
  SELECT $1, name, record FROM unnest($2::text[], $3::json[]) AS put (name, record)
  ON CONFLICT (scheduler, name) DO UPDATE SET record = excluded.record`

export const REMOVE_RECORDS =
  'DELETE FROM kron_scheduler_tasks WHERE scheduler = $1 AND name = ANY ($2::text[])'

/** A session that says nothing for so long has hung, and must not keep the others from the lock. */
export const sessionTimeouts = (milliseconds: number): string => `
  SET idle_session_timeout = ${milliseconds};
  SET idle_in_transaction_session_timeout = ${milliseconds};
  SET statement_timeout = 0;
  SET client_min_messages = warning`

/** A name as the database can hold it: without NUL and half characters. */
export const columnText = (name: string): string =>
  name.replace(/[\\\0\ud800-\udfff]/gu, each => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`)
