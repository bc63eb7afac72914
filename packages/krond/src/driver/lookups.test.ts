import assert from 'node:assert/strict'
import { test } from 'node:test'
import { claimPrefix } from '@kron/host'
import { assertNoneTwice, job, machineWith, outcomes } from '@kron/testkit/krond/conformance/scenario'
import type { Machine } from '@kron/testkit/krond/simulation/machine'
import { nativeHash } from '../native-hash.ts'
import { Driver } from './driver.ts'
import type { Message } from './effect.ts'
import type { Moment } from './moment.ts'

/** A machine whose next daemons find the runs of some jobs only after so many seconds. */
async function machineWithSlowSearches(
  lines: readonly string[],
  seconds: Readonly<Record<string, number>>,
  maxConcurrent = Number.POSITIVE_INFINITY,
): Promise<Machine> {
  let isSlow = false
  const machine = await machineWith(lines, {
    maxConcurrent,
    sabotage: {
      processes: processes => {
        const follow = processes.follow.bind(processes)
        processes.follow = async (entry, claim) => {
          const wait = isSlow ? seconds[entry.name] : undefined
          if (wait !== undefined)
            await new Promise<void>(resolve => machine.clock.setTimer(wait * 1_000, resolve))
          return follow(entry, claim)
        }
        return processes
      },
    },
  })
  machine.processes.behave = () => ({ lives: 45_000 })
  isSlow = true
  return machine
}

test('a run that is not found for a long time delays its own job alone, which runs no period twice', async () => {
  const lines = [job('* * * * *', 'slow'), job('* * * * *', 'slower'), job('* * * * *', 'other')]
  const machine = await machineWithSlowSearches(lines, { slow: 4, slower: 8 })
  await machine.run(60)
  machine.crash()
  await machine.run(25)
  const booting = machine.boot(lines)
  await machine.run(3)
  await booting
  await machine.run(122)
  assertNoneTwice(machine)
  const inTime = [0, 1, 2].map(minute => `2026-03-01T00:0${minute}:00Z executed`)
  assert.deepEqual(await outcomes(machine, 'other'), inTime)
  assert.deepEqual(await outcomes(machine, 'slow'), inTime)
  assert.deepEqual(await outcomes(machine, 'slower'), [
    inTime[0],
    '2026-03-01T00:01:00Z missed deadline',
    inTime[2],
  ])
})

test('a run that is still looked for takes a place', async () => {
  const lines = [job('* * * * *', 'slow'), job('* * * * * @policy(deadline=30s)', 'other')]
  const machine = await machineWithSlowSearches(lines, { slow: 20 }, 1)
  await machine.run(35)
  machine.crash()
  await machine.run(45)
  const ran = machine.ran().length
  const booting = machine.boot(lines)
  await machine.run(18)
  await booting
  assert.equal(machine.ran().length, ran)
  await machine.run(5)
  assert.equal(machine.ran().length, ran + 1)
})

/** A host half a minute after midnight, when the run of midnight has lost its daemon, and the next one has just begun. */
async function whileSought(mode = 'forbid'): Promise<Machine> {
  const lines = [job(`* * * * * @policy(concurrency=${mode})`, 'slow')]
  const machine = await machineWithSlowSearches(lines, { slow: 8 })
  await machine.run(40)
  machine.crash()
  const booting = machine.boot(lines)
  await machine.run(3)
  await booting
  return machine
}

test('while a run is looked for, its job takes no manual run that must not overlap it', async () => {
  for (const mode of ['forbid', 'replace']) {
    const machine = await whileSought(mode)
    const request = { requestId: 'r', identity: '/jobs.kron:slow', user: 'ada' }
    const answer = await machine.daemon!.actions.trigger(request)
    assert.ok(answer.kind === 'refused')
    assert.equal(answer.reason, 'concurrency')
    assert.match(answer.message, /still looks for an earlier run of slow/)
  }
})

test('while a run is looked for, the summary does not call its job idle', async () => {
  const { daemon } = await whileSought()
  assert.deepEqual(
    [...daemon!.driver.summarised()].map(({ rest }) => rest),
    [undefined],
  )
})

test('a stop that waits for runs waits for one that is still looked for', async () => {
  const machine = await whileSought()
  let isOver = false
  void machine.stop().then(() => (isOver = true))
  await machine.run(4)
  assert.equal(isOver, false)
  await machine.run(60)
  assert.equal(isOver, true)
  assert.deepEqual(await outcomes(machine, 'slow'), ['2026-03-01T00:00:00Z executed'])
})

test('a run of a job that is removed while it is looked for is adopted', async () => {
  const machine = await whileSought()
  await machine.reload([])
  await machine.run(10)
  assert.deepEqual(
    machine.daemon!.driver.running().map(each => each.periodId),
    ['2026-03-01T00:00:00Z'],
  )
})

test('after a write has failed, no claim is removed: what the driver knows may not be durable', async () => {
  const machine = await machineWith([job('* * * * *', 'a')])
  machine.processes.behave = () => ({ lives: 45_000 })
  await machine.run(40)
  machine.crash()
  const state = (await machine.state('a'))!
  const entry = machine.daemon!.driver.jobs.entry(0)!
  const driver = new Driver({
    ...{ hash: text => nativeHash(text), newId: () => 'new', debug: false },
    ...{ maxConcurrent: 1, mayStart: () => true, claimsId: 'claims', bootId: 'boot' },
  })
  const now: Moment = { wallMs: machine.clock.now(), bootMs: 0, offsetMs: 0 }
  const send = (message: Message) => driver.receive(message, now)
  const [trace] = send({ kind: 'arrived', entry, loaded: { kind: 'known', state } }).filter(
    each => each.kind === 'trace',
  )
  const claims = [
    {
      prefix: claimPrefix(entry.identity),
      nominal: Date.parse('2026-03-01T00:00Z') / 1_000,
      executionId: 'x',
    },
  ]
  const { kind: _, ...sought } = trace!
  const effects = send({ ...sought, kind: 'traced', trace: { kind: 'unknown' } })
  const records = effects.flatMap(each => (each.kind === 'record' ? [each.recorded] : []))
  assert.ok(records.length > 0)
  for (const recorded of records) send({ kind: 'unstored', recorded })
  send({ kind: 'stop', mode: 'leave', done: () => {} })
  assert.deepEqual(
    send({ kind: 'claims', claims }).filter(each => each.kind === 'release'),
    [],
  )
})
