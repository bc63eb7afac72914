import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, before, beforeEach, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { PostgresServer } from './postgres-server.ts'
import {
  assertNoDoubleStart,
  end,
  type Replica,
  standbysOf,
  startReplica,
  startsOf,
  until,
} from './replica-process.ts'
import { Wire } from './wire.ts'

let server: PostgresServer
let directory: string
let startedAt = 0
const started: Replica[] = []

before(async () => {
  server = await PostgresServer.create()
  directory = mkdtempSync(join(tmpdir(), 'kron-replicas-'))
})
after(async () => {
  await server.destroy()
  rmSync(directory, { recursive: true, force: true })
})
beforeEach(async () => {
  startedAt = Date.now()
  await server.query('DROP TABLE IF EXISTS kron_schedulers, kron_scheduler_tasks')
})
// A failed test must not leave a replica running for the next test.
afterEach(() => {
  for (const replica of started.splice(0)) replica.process.kill('SIGKILL')
})

function start(url: string): Replica {
  const replica = startReplica(directory, url, startedAt)
  started.push(replica)
  return replica
}

const isActive = (replica: Replica) => startsOf(replica).length > 40
const lastStartAt = (replica: Replica) => Math.max(...startsOf(replica).map(event => event.at))
const firstStartAt = (replica: Replica) => Math.min(...startsOf(replica).map(event => event.at))

/** An active replica, connected through this URL, and a standby. */
async function activeAndStandby(url: string): Promise<[active: Replica, standby: Replica]> {
  const active = start(url)
  await until('the first is active', () => isActive(active))
  const standby = start(server.url)
  await until('the second stands by', () => standbysOf(standby) > 0)
  return [active, standby]
}

/** Asserts that a standby starts nothing while the other replica is active. */
async function assertStandsBy(standby: Replica, active: Replica): Promise<void> {
  const [idle, busy] = [startsOf(standby).length, startsOf(active).length]
  await until('the active one has started more', () => startsOf(active).length > busy + 40)
  assert.equal(startsOf(standby).length, idle)
}

async function assertTakesOver(replica: Replica): Promise<void> {
  const before = startsOf(replica).length
  await until('the first is active again', () => startsOf(replica).length > before + 40)
}

test('two replicas, the active one killed: the other takes over without a double start', async () => {
  const [first, second] = await activeAndStandby(server.url)
  await sleep(300)
  await end(first, 'SIGKILL')
  await until('the second is active', () => isActive(second))
  await end(second, 'SIGTERM')
  assert.ok(firstStartAt(second) > lastStartAt(first))
  assertNoDoubleStart([first, second])
})

test('two replicas, the active one frozen: the other takes over, and the first stands by when it wakes', async () => {
  const [first, second] = await activeAndStandby(server.url)
  const standbys = standbysOf(first)
  first.process.kill('SIGSTOP')
  await until('the second is active', () => isActive(second))
  first.process.kill('SIGCONT')
  await until('the first stands by', () => standbysOf(first) > standbys)
  await assertStandsBy(first, second)
  await end(second, 'SIGKILL')
  await assertTakesOver(first)
  await end(first, 'SIGTERM')
  assertNoDoubleStart([first, second])
})

test('two replicas, the active one cut off: the other takes over, and the first stands by when it is back', async () => {
  const wire = await Wire.to(server.port)
  const [first, second] = await activeAndStandby(server.urlAt(wire.port))
  const standbys = standbysOf(first)
  wire.cut()
  await until('the second is active', () => isActive(second))
  wire.mend()
  await until('the first stands by', () => standbysOf(first) > standbys)
  await assertStandsBy(first, second)
  await end(second, 'SIGTERM')
  await assertTakesOver(first)
  await end(first, 'SIGTERM')
  wire.close()
  assertNoDoubleStart([first, second])
})

test('the server is restarted under load, again and again, and nothing starts twice', async () => {
  const [first, second] = await activeAndStandby(server.url)
  const starts = () => startsOf(first).length + startsOf(second).length
  for (let round = 0; round < 5; round++) {
    const before = starts()
    await sleep(100 * round)
    await server.stop(round % 2 === 0 ? 'SIGQUIT' : 'SIGINT')
    await sleep(100)
    await server.start()
    await until('starts go on', () => starts() > before + 60)
  }
  await Promise.all([end(first, 'SIGTERM'), end(second, 'SIGTERM')])
  assertNoDoubleStart([first, second])
  const unfinished = await server.query(
    `SELECT name FROM kron_scheduler_tasks WHERE record ->> 'runningBy' IS NOT NULL`,
  )
  assert.deepEqual(unfinished, [])
})
