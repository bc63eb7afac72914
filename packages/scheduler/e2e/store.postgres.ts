import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  makeScheduler,
  postgresStore,
  type SchedulerEvent,
  type Store,
  type StoreSession,
  type TaskRecord,
} from '@kron/scheduler'
import pg from 'pg'
import { PostgresServer } from './postgres-server.ts'

/** The timeout is long because a loaded machine may be slow to answer. */
const SESSION_TIMEOUT = 60_000
/** A timeout for tests that wait for a heartbeat. Three heartbeats happen in this time. */
const SHORT_TIMEOUT = 3_000
const silent = { debug() {}, info() {}, warn() {}, error() {} }

let server: PostgresServer
const opened: Store[] = []

before(async () => {
  server = await PostgresServer.create()
})
after(() => server.destroy())
// A failed test must not leave a lock for the next test.
afterEach(async () => {
  for (const store of opened.splice(0)) await store.close()
})
beforeEach(() => server.query('DROP TABLE IF EXISTS kron_schedulers, kron_scheduler_tasks'))

const record = (name: string, lastAttemptAt = 1): TaskRecord => ({
  name,
  cronExpression: '* * * * *',
  retryDelayMs: 0,
  firstSeenAt: 1,
  lastAttemptAt,
})

function open(name = 'test', sessionTimeout = SESSION_TIMEOUT): Store {
  const store = postgresStore({ connectionString: server.url, name, sessionTimeout })
  opened.push(store)
  return store
}

const byName = (records: readonly TaskRecord[]) => [...records].sort((a, b) => (a.name < b.name ? -1 : 1))

function listener() {
  const standby = Promise.withResolvers<void>()
  const lost = Promise.withResolvers<Error>()
  const abort = new AbortController()
  const session: StoreSession = {
    signal: abort.signal,
    onStandby: standby.resolve,
    onDamage() {},
    onError() {},
    onLost: lost.resolve,
  }
  return { session, abort, standby: standby.promise, lost: lost.promise }
}

test('what was committed is there after a restart, whatever the names', async () => {
  const store = open()
  assert.deepEqual(await store.load(), [])
  const odd = [
    record('ü'),
    record('a\u0000b'),
    record('\ud800'),
    record('\\ud800'),
    record('a"b\\c\nd,{}'),
    record('a'),
  ]
  await store.commit({ put: odd, remove: [] })
  await store.commit({ put: [record('a', 2)], remove: ['ü', 'never there'] })
  await store.close()
  const again = open()
  assert.deepEqual(byName(await again.load()), byName([...odd.slice(1, -1), record('a', 2)]))
  await again.commit({ put: [], remove: odd.map(each => each.name) })
  await again.close()
  const empty = open()
  assert.deepEqual(await empty.load(), [])
  await empty.close()
})

test('schedulers of another name have tasks of their own and do not wait', async () => {
  const [one, other] = [open('one'), open('other')]
  await one.load()
  await other.load()
  await one.commit({ put: [record('a')], remove: [] })
  await other.commit({ put: [record('b')], remove: [] })
  await Promise.all([one.close(), other.close()])
  const again = open('one')
  assert.deepEqual(await again.load(), [record('a')])
  await again.close()
})

test('a schema of its own has tables and a lock of its own, whatever it is called', async () => {
  const names = ['plain', 'Mixed Case', 'quo"te', "apo'strophe\\"]
  const stores = names.map(schema =>
    postgresStore({ connectionString: server.url, name: 'same', schema, sessionTimeout: SESSION_TIMEOUT }),
  )
  // None of the stores waits for another.
  for (const [index, store] of stores.entries()) {
    assert.deepEqual(await store.load(), [])
    await store.commit({ put: [record(`task-${index}`)], remove: [] })
  }
  for (const store of stores) await store.close()
  for (const [index, store] of stores.entries()) {
    assert.deepEqual(
      (await store.load()).map(({ name }) => name),
      [`task-${index}`],
    )
    await store.close()
  }
})

test('two instances of one name in one schema share a lock', async () => {
  const options = {
    connectionString: server.url,
    name: 'shared',
    schema: 'shared',
    sessionTimeout: SESSION_TIMEOUT,
  }
  const [first, second] = [postgresStore(options), postgresStore(options)]
  opened.push(first, second)
  await first.load()
  const { session, standby } = listener()
  const loaded = second.load(session)
  await standby
  await first.close()
  await loaded
})

test('a pool gives one of its connections, and gets on with the others', async () => {
  const pool = new pg.Pool({ connectionString: server.url, max: 2 })
  const store = postgresStore({ pool, name: 'pooled' })
  opened.push(store)
  await store.load()
  await store.commit({ put: [record('a')], remove: [] })
  const { rows } = await pool.query('SELECT count(*)::int AS count FROM kron_scheduler_tasks')
  assert.deepEqual(rows, [{ count: 1 }])
  await store.close()
  await pool.end()
})

test('a large change is one transaction', async () => {
  const store = open()
  await store.load()
  const many = Array.from({ length: 50_000 }, (_, index) => record(`task-${index}`))
  await store.commit({ put: many, remove: [] })
  await store.close()
  const again = open()
  assert.equal((await again.load()).length, many.length)
  await again.close()
})

test('tables of a newer version are refused and left alone', async () => {
  const store = open()
  await store.load()
  await store.commit({ put: [record('a')], remove: [] })
  await store.close()
  await server.query('UPDATE kron_schedulers SET version = 2')
  const before = await server.query('SELECT * FROM kron_schedulers')
  const scheduler = makeScheduler({ store: open(), logger: silent })
  await assert.rejects(
    scheduler.initialize([]),
    /the tables have version 2, and this version of Kron knows 1/,
  )
  assert.deepEqual(await server.query('SELECT * FROM kron_schedulers'), before)
  assert.equal((await server.query('SELECT * FROM kron_scheduler_tasks')).length, 1)
})

test('a server that is not there fails the initialization with a clear error', async () => {
  const connectionString = 'postgres://kron:hunter2@127.0.0.1:1/postgres'
  const store = postgresStore({ connectionString, name: 'x' })
  const error = await makeScheduler({ store, logger: silent })
    .initialize([])
    .catch(each => each)
  assert.equal(error.name, 'SchedulerInitializationError')
  assert.match(error.message, /failed to load the store: .*ECONNREFUSED/)
  assert.doesNotMatch(String(error), /hunter2/)
})

test('a second instance stands by, and takes over when the first is closed', async () => {
  const first = open()
  await first.load()
  await first.commit({ put: [record('a')], remove: [] })
  const second = open()
  const { session, standby } = listener()
  const loaded = second.load(session)
  await standby
  await first.close()
  assert.deepEqual(await loaded, [record('a')])
  await second.close()
})

test('a standby that is stopped gives up, and its initialization says why', async () => {
  const first = open()
  await first.load()
  const events: SchedulerEvent[] = []
  const scheduler = makeScheduler({ store: open(), logger: silent, onEvent: event => events.push(event) })
  const initialized = assert.rejects(scheduler.initialize([]), /stopped while another instance is active/)
  while (!events.some(event => event.type === 'standby')) await sleep(10)
  await scheduler.stop()
  await initialized
  await first.close()
})

test('a session that the server ends is replaced if nobody has taken over', async () => {
  const store = open()
  await store.load()
  await store.commit({ put: [record('a')], remove: [] })
  await server.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'kron'`)
  const commit = () => store.commit({ put: [record('b')], remove: [] })
  while (
    !(await commit().then(
      () => true,
      () => false,
    ))
  )
    await sleep(50)
  await store.close()
})

test('an instance that lost its session to another one learns of it and cannot commit', async () => {
  const first = open('test', SHORT_TIMEOUT)
  const { session, lost } = listener()
  await first.load(session)
  // Simulates another instance that was active between this session and the next one.
  await server.query('UPDATE kron_schedulers SET epoch = epoch + 1')
  await server.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'kron'`)
  assert.equal((await lost).name, 'StoreLostError')
  await assert.rejects(first.commit({ put: [record('a')], remove: [] }), { name: 'StoreLostError' })
  await first.close()
})
