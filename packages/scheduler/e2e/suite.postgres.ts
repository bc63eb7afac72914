import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, beforeEach, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  makeScheduler,
  postgresStore,
  type SchedulerEvent,
  type StoreSession,
  type TaskRecord,
} from '@kron/scheduler'
import pg from 'pg'
import { PostgresServer } from './postgres-server.ts'
import { Wire } from './wire.ts'

const SESSION_TIMEOUT = 1_500
const silent = { debug() {}, info() {}, warn() {}, error() {} }

let server: PostgresServer
let directory: string

before(async () => {
  server = await PostgresServer.create()
  directory = mkdtempSync(join(tmpdir(), 'kron-replicas-'))
})
after(async () => {
  await server.destroy()
  rmSync(directory, { recursive: true, force: true })
})
beforeEach(() => server.query('DROP TABLE IF EXISTS kron_schedulers, kron_scheduler_tasks'))

const record = (name: string, lastAttemptAt = 1): TaskRecord => ({
  name,
  cronExpression: '* * * * *',
  retryDelayMs: 0,
  firstSeenAt: 1,
  lastAttemptAt,
})
const open = (name = 'test') =>
  postgresStore({ connectionString: server.url, name, sessionTimeout: SESSION_TIMEOUT })
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

test('a pool gives one of its connections, and gets on with the others', async () => {
  const pool = new pg.Pool({ connectionString: server.url, max: 2 })
  const store = postgresStore({ pool, name: 'pooled' })
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
  const store = postgresStore({ connectionString: 'postgres://kron@127.0.0.1:1/postgres', name: 'x' })
  await assert.rejects(makeScheduler({ store, logger: silent }).initialize([]), {
    name: 'SchedulerInitializationError',
    message: /failed to load the store: .*ECONNREFUSED/,
  })
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
  for (let attempt = 0; ; attempt++) {
    try {
      await store.commit({ put: [record('b')], remove: [] })
      break
    } catch (error) {
      assert.ok(attempt < 20, String(error))
      await sleep(50)
    }
  }
  await store.close()
})

test('an instance that lost its session to another one learns of it and cannot commit', async () => {
  const first = open()
  const { session, lost } = listener()
  await first.load(session)
  // As if another instance had been active between the end of the session and the next one.
  await server.query('UPDATE kron_schedulers SET epoch = epoch + 1')
  await server.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'kron'`)
  assert.equal((await lost).name, 'StoreLostError')
  await assert.rejects(first.commit({ put: [record('a')], remove: [] }), { name: 'StoreLostError' })
  await first.close()
})

interface Replica {
  readonly identifier: string
  readonly process: ChildProcess
  events(): (SchedulerEvent & { taskName?: string; cause?: string })[]
}

let replicas = 0

function startReplica(url: string, startedAt: number): Replica {
  const identifier = `replica-${++replicas}`
  const log = join(directory, `${identifier}.log`)
  const script = join(import.meta.dirname, 'replica.ts')
  const args = [
    '--conditions=kron-source',
    script,
    url,
    log,
    String(startedAt),
    identifier,
    String(SESSION_TIMEOUT),
  ]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'inherit', 'inherit'] })
  return {
    identifier,
    process: child,
    events: () =>
      existsSync(log)
        ? readFileSync(log, 'utf8')
            .split('\n')
            .slice(0, -1)
            .map(line => JSON.parse(line))
        : [],
  }
}

async function until(what: string, condition: () => boolean): Promise<void> {
  const deadline = Date.now() + 30_000
  while (!condition()) {
    assert.ok(Date.now() < deadline, `waited in vain until ${what}`)
    await sleep(20)
  }
}

const startsOf = (replica: Replica) =>
  replica.events().filter(event => event.type === 'TaskRunStarted' || event.type === 'TaskRetryStarted')
const isActive = (replica: Replica) => startsOf(replica).length > 40
const standsBy = (replica: Replica) => replica.events().some(event => event.type === 'standby')

async function end(replica: Replica, signal: NodeJS.Signals): Promise<void> {
  const exit = once(replica.process, 'exit')
  replica.process.kill(signal)
  await exit
}

/** Whatever happened, no occurrence was started by two instances, and no two runs of one instance overlapped. */
function assertNoDoubleStart(all: readonly Replica[]): void {
  const minutes = new Set<string>()
  for (const replica of all) {
    const running = new Set<string>()
    for (const event of replica.events()) {
      const { taskName = '' } = event
      if (event.type === 'TaskRunStarted' && event.cause !== 'orphan') {
        const minute = `${taskName} ${Math.floor(event.at / 60_000)}`
        assert.ok(!minutes.has(minute), `${minute} was started twice`)
        minutes.add(minute)
      }
      if (event.type === 'TaskRunStarted' || event.type === 'TaskRetryStarted') {
        assert.ok(!running.has(taskName), `${taskName} ran twice at once`)
        running.add(taskName)
      }
      if (event.type === 'TaskRunCompleted' || event.type === 'TaskRunFailed') running.delete(taskName)
      // Having lost the lock, an instance starts from what the store says.
      if (event.type === 'PollingStopped') running.clear()
    }
  }
}

const lastStartAt = (replica: Replica) => Math.max(...startsOf(replica).map(event => event.at))
const firstStartAt = (replica: Replica) => Math.min(...startsOf(replica).map(event => event.at))

test('two replicas, the active one killed: the other takes over without a double start', async () => {
  const startedAt = Date.now()
  const first = startReplica(server.url, startedAt)
  await until('the first is active', () => isActive(first))
  const second = startReplica(server.url, startedAt)
  await until('the second stands by', () => standsBy(second))
  await sleep(300)
  await end(first, 'SIGKILL')
  await until('the second is active', () => isActive(second))
  await end(second, 'SIGTERM')
  assert.ok(firstStartAt(second) > lastStartAt(first))
  assertNoDoubleStart([first, second])
})

test('two replicas, the active one frozen: the other takes over, and the first stands by when it wakes', async () => {
  const startedAt = Date.now()
  const first = startReplica(server.url, startedAt)
  await until('the first is active', () => isActive(first))
  const second = startReplica(server.url, startedAt)
  await until('the second stands by', () => standsBy(second))
  first.process.kill('SIGSTOP')
  const startsWhenFrozen = startsOf(first).length
  await until('the second is active', () => isActive(second))
  first.process.kill('SIGCONT')
  await until('the first stands by', () => standsBy(first))
  assert.equal(startsOf(first).length, startsWhenFrozen)
  await end(second, 'SIGKILL')
  await until('the first is active again', () => startsOf(first).length > startsWhenFrozen + 40)
  await end(first, 'SIGTERM')
  assertNoDoubleStart([first, second])
})

test('two replicas, the active one cut off: the other takes over, and the first stands by when it is back', async () => {
  const startedAt = Date.now()
  const wire = await Wire.to(server.port)
  const first = startReplica(server.urlAt(wire.port), startedAt)
  await until('the first is active', () => isActive(first))
  const second = startReplica(server.url, startedAt)
  await until('the second stands by', () => standsBy(second))
  wire.cut()
  await until('the second is active', () => isActive(second))
  const startsWhenCut = startsOf(first).length
  wire.mend()
  await until('the first stands by', () => standsBy(first))
  assert.equal(startsOf(first).length, startsWhenCut)
  await end(second, 'SIGTERM')
  await until('the first is active again', () => startsOf(first).length > startsWhenCut + 40)
  await end(first, 'SIGTERM')
  wire.close()
  assertNoDoubleStart([first, second])
})

test('the server is restarted under load, again and again, and nothing starts twice', async () => {
  const startedAt = Date.now()
  const first = startReplica(server.url, startedAt)
  await until('the first is active', () => isActive(first))
  const second = startReplica(server.url, startedAt)
  await until('the second stands by', () => standsBy(second))
  for (let round = 0; round < 5; round++) {
    const before = startsOf(first).length + startsOf(second).length
    await sleep(100 * round)
    await server.stop(round % 2 === 0 ? 'SIGQUIT' : 'SIGINT')
    await sleep(100)
    await server.start()
    await until('starts go on', () => startsOf(first).length + startsOf(second).length > before + 60)
  }
  await Promise.all([end(first, 'SIGTERM'), end(second, 'SIGTERM')])
  assertNoDoubleStart([first, second])
  const unfinished = await server.query(
    `SELECT name FROM kron_scheduler_tasks WHERE record ->> 'runningBy' IS NOT NULL`,
  )
  assert.deepEqual(unfinished, [])
})
