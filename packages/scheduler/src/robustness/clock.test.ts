import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { Fixture, MINUTE, ms, ProbeStore, SECOND, silent } from '@kron/testkit/scheduler/conformance/fixture'
import { makeScheduler, memoryStore, type SchedulerEvent, virtualClock } from '../index.ts'

const AT = '2026-06-10T12:00:00Z'

test('initialize and stop resolve on a clock that stands still, also with an outcome that is not stored yet', async () => {
  const world = new Fixture({ at: AT })
  await world.scheduler.initialize([world.task('a', '* * * * *')])
  // Only this timer starts the task. The clock does not advance after it.
  world.clock.step()
  for (let turn = 0; turn < 5; turn++) await new Promise(resolve => setImmediate(resolve))
  assert.equal(world.startsOf('a').length, 1)
  await world.scheduler.stop()
  assert.equal(world.record('a')?.lastSuccessAt, ms(AT))
  assert.equal(world.record('a')?.runningBy, undefined)
})

test('a memory store is left in peace on a clock that stands still, too', async () => {
  const clock = virtualClock(AT)
  const scheduler = makeScheduler({ store: memoryStore(), clock, logger: silent })
  await scheduler.initialize([['a', '* * * * *', async () => {}, 0]])
  clock.step()
  await new Promise(resolve => setImmediate(resolve))
  await scheduler.stop()
})

test('an empty TZ is UTC, and one that does not exist is an error that says what to do', () => {
  const program = `
    import { makeScheduler, memoryStore } from '@kron/scheduler'
    const scheduler = makeScheduler({ store: memoryStore(), logger: { debug() {}, info() {}, warn() {}, error() {} } })
    try { await scheduler.initialize([['a', '0 0 1 1 *', () => {}, 0]]); console.log('fine') } catch (error) { console.log(error.message) }
    await scheduler.stop()
  `
  const run = (zone: string) =>
    spawnSync(process.execPath, ['--conditions=kron-source', '--input-type=module', '-e', program], {
      env: { ...process.env, TZ: zone },
      cwd: import.meta.dirname,
      encoding: 'utf8',
    }).stdout.trim()
  assert.equal(run(''), 'fine')
  assert.match(
    run('Nowhere/At_All'),
    /failed to find the time zone: .* is not an IANA time zone; set TZ or the timeZone option/,
  )
})

test('a zone that becomes unusable is an error event once, and the last good one stays', async () => {
  const world = new Fixture({ at: '2026-06-10T11:58:30Z', timeZone: 'Europe/Paris' })
  await world.scheduler.initialize([world.task('a', '2 14 * * *')])
  world.timeZone = 'Nowhere/At_All'
  await world.run(5 * MINUTE)
  assert.deepEqual(world.startsOf('a'), ['2026-06-10T12:02:00.000Z'])
  const errors = world.eventsOf('error')
  assert.deepEqual(
    errors.map(event => event.operation),
    ['find the time zone'],
  )
  world.timeZone = 'UTC'
  await world.runUntil('2026-06-10T14:03:00Z')
  assert.equal(world.startsOf('a').length, 2)
  await world.scheduler.stop()
})

test('a clock that throws, tells no time or sets no timer while running does not kill the loop', async () => {
  const world = new Fixture({ at: AT })
  const { clock } = world
  const { now, setTimer } = clock
  const broken = { now: false, timers: false }
  clock.now = () => {
    if (broken.now) throw new Error('no time')
    return now.call(clock)
  }
  clock.setTimer = (milliseconds, fire) => {
    if (broken.timers) throw new Error('no timer')
    return setTimer.call(clock, milliseconds, fire)
  }
  await world.scheduler.initialize([world.task('a', '* * * * *')])
  await world.run(SECOND)
  broken.now = true
  clock.advance(90 * SECOND)
  broken.now = false
  await world.run(2 * MINUTE)
  assert.ok(world.startsOf('a').length >= 3, world.startsOf('a').join())
  assert.ok(world.eventsOf('error').some(event => event.operation === 'read the clock'))
  broken.timers = true
  await world.run(70 * SECOND)
  broken.timers = false
  assert.ok(world.eventsOf('error').some(event => event.operation === 'set a timer'))
  await world.scheduler.stop()
})

test('a fractional time is floored: records hold whole milliseconds, and a restart finds nothing damaged', async () => {
  const store = new ProbeStore()
  const events: SchedulerEvent[] = []
  const clock = virtualClock(AT)
  const { now } = clock
  clock.now = () => now.call(clock) + 0.75
  for (let life = 0; life < 2; life++) {
    const scheduler = makeScheduler({ store, clock, logger: silent, onEvent: event => events.push(event) })
    await scheduler.initialize([['a', '* * * * *', () => {}, 0]])
    await clock.run(MINUTE)
    await scheduler.stop()
  }
  for (const value of Object.values(store.records.get('a') ?? {}))
    if (typeof value === 'number') assert.ok(Number.isInteger(value), String(value))
  assert.deepEqual(
    events.filter(event => event.type === 'TaskRecordDamaged'),
    [],
  )
})

test('the timeZone option comes before the zone of the clock', async () => {
  const clock = virtualClock('2026-06-10T11:59:30Z', 'UTC')
  let runs = 0
  const scheduler = makeScheduler({ store: memoryStore(), clock, logger: silent, timeZone: 'Europe/Paris' })
  await scheduler.initialize([['a', '0 14 * * *', () => void runs++, 0]])
  await clock.run(MINUTE)
  await scheduler.stop()
  assert.equal(runs, 1)
})
