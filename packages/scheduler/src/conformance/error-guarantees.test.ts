import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectError, refusal } from '@kron/testkit/scheduler/conformance/expect-error'
import { Fixture, SECOND, silent } from '@kron/testkit/scheduler/conformance/fixture'
import { makeScheduler, StoreLostError, virtualClock } from '../index.ts'

const ok = () => {}

test('Error Throwing Guarantees › the order of checks: shape, duplicates, cron, value of the delay', async () => {
  const names = async (...registrations: unknown[]) => (await refusal(registrations)).name
  assert.equal(await names([1, 'x', 'y', -1]), 'RegistrationShapeError')
  assert.equal(await names(['', 'x', ok, -1]), 'InvalidRegistrationError')
  assert.equal(await names(['', 5, 'y', -1]), 'InvalidRegistrationError')
  assert.equal(await names(['a', 'x', 'y', -1]), 'RegistrationShapeError')
  assert.equal(await names(['a', 'x', ok, 'soon']), 'RegistrationShapeError')
  assert.equal(await names(['a', '* * * * *', ok, 0], ['a', 'x', ok, -1]), 'ScheduleDuplicateTaskError')
  assert.equal(await names(['a', 'x', ok, -1]), 'CronExpressionInvalidError')
  assert.equal(await names(['a', '* * * * *', ok, -1]), 'NegativeRetryDelayError')
  // The error is about the first invalid registration, even if a later one is invalid too.
  assert.equal(await names(['a', '* * * * *', ok, -1], 'nonsense'), 'NegativeRetryDelayError')
})

test('Error Throwing Guarantees › unexpected errors are wrapped with context, and their cause is kept', async () => {
  for (const [operation, step] of [
    ['load', 'load the store'],
    ['commit', 'commit to the store'],
  ] as const) {
    const world = new Fixture({ at: '2026-06-10T12:00:00Z' })
    const cause = new Error('disk full')
    world.store.failing.set(operation, cause)
    const error = await world.scheduler.initialize([['a', '* * * * *', ok, 0]]).catch(each => each)
    const message = `Cannot initialize scheduler: failed to ${step}: disk full`
    expectError(error, 'SchedulerInitializationError', message, { step, cause })
    assert.equal(error.cause, cause)
  }
})

test('Error Throwing Guarantees › what the ports throw or return wrongly is wrapped too', async () => {
  const { store } = new Fixture({ at: '2026-06-10T12:00:00Z' })
  const refused = (options: object) =>
    makeScheduler({ store, logger: silent, ...options })
      .initialize([])
      .catch(each => each)

  const broken = new Error('no entropy')
  const identifier = () => {
    throw broken
  }
  expectError(
    await refused({ identifier }),
    'SchedulerInitializationError',
    'Cannot initialize scheduler: failed to identify: no entropy',
    { step: 'identify', cause: broken },
  )
  const empty = await refused({ identifier: () => '' })
  assert.equal(
    empty.message,
    'Cannot initialize scheduler: failed to identify: the identifier must be a non-empty string, got ""',
  )
  const nowhere = await refused({ clock: virtualClock(0, 'Mars/Olympus') })
  assert.equal(
    nowhere.message,
    'Cannot initialize scheduler: failed to find the time zone: "Mars/Olympus" is not an IANA time zone; set TZ or the timeZone option to one',
  )
  assert.deepEqual([store.loads, store.commits.length], [0, 0])
})

test('Error Throwing Guarantees › a store that returns no array is refused, and closed', async () => {
  for (const [loaded, type] of [
    [undefined, 'undefined'],
    [{}, 'object'],
    ['abc', 'string'],
  ] as const) {
    const world = new Fixture({ at: '2026-06-10T12:00:00Z' })
    world.store.load = async () => loaded as never
    const error = await world.scheduler.initialize([]).catch(each => each)
    const message = `Cannot initialize scheduler: failed to load the store: load() must return an array of records, got ${type}`
    expectError(error, 'SchedulerInitializationError', message, {
      step: 'load the store',
      cause: error.cause,
    })
    assert.equal(world.store.closes, 1)
  }
})

test('Error Throwing Guarantees › a clock that tells no time is refused before anything is touched', async () => {
  const broken = new Error('no clock')
  const clocks: [() => number, string][] = [
    [() => Number.NaN, 'now() must return epoch milliseconds, got NaN'],
    [() => undefined as never, 'now() must return epoch milliseconds, got undefined'],
    [
      () => {
        throw broken
      },
      'no clock',
    ],
  ]
  for (const [now, problem] of clocks) {
    const { store } = new Fixture({ at: '2026-06-10T12:00:00Z' })
    const clock = Object.assign(virtualClock(0), { now })
    const error = await makeScheduler({ store, clock, logger: silent })
      .initialize([])
      .catch(each => each)
    const message = `Cannot initialize scheduler: failed to read the clock: ${problem}`
    expectError(error, 'SchedulerInitializationError', message, {
      step: 'read the clock',
      cause: error.cause,
    })
    assert.equal(store.loads, 0)
  }
})

test('Error Throwing Guarantees › a clock that sets no timer fails the initialization, which may be tried again', async () => {
  const world = new Fixture({ at: '2026-06-10T12:00:00Z' })
  const { clock } = world
  const setTimer = clock.setTimer.bind(clock)
  const cause = new Error('no timer')
  clock.setTimer = () => {
    throw cause
  }
  const error = await world.scheduler.initialize([world.task('a', '* * * * *')]).catch(each => each)
  const message = 'Cannot initialize scheduler: failed to set a timer: no timer'
  expectError(error, 'SchedulerInitializationError', message, { step: 'set a timer', cause })
  assert.equal(world.store.closes, 1)
  await world.scheduler.stop()
  clock.setTimer = setTimer
  await world.scheduler.initialize([world.task('a', '* * * * *')])
  await world.run(SECOND)
  assert.equal(world.startsOf('a').length, 1)
})

test('Error Throwing Guarantees › a delay that throws is refused with its cause', async () => {
  const broken = new Error('no milliseconds')
  const delay = {
    toMillis() {
      throw broken
    },
  }
  const error = await refusal([['a', '* * * * *', ok, delay]])
  const reason = 'could not be read'
  expectError(error, 'InvalidRegistrationError', `Invalid registration: retryDelay ${reason}`, {
    field: 'retryDelay',
    value: delay,
    reason,
  })
  assert.equal(error.cause, broken)
  assert.equal((error.details as { cause?: unknown }).cause, broken)
})

test('Error Throwing Guarantees › a wrong shape has a cause that names the part', async () => {
  const causes: [unknown, RegExp][] = [
    ['a', /^expected an array of 4, got string$/],
    [['a', '* * * * *', ok], /^expected an array of 4, got one of 3$/],
    [[1, '* * * * *', ok, 0], /^the name must be a string, got number$/],
    [['a', null, ok, 0], /^the cron expression must be a string, got null$/],
    [['a', '* * * * *', [], 0], /^the callback must be a function, got array$/],
    [['a', '* * * * *', ok, true], /^the retry delay must be milliseconds, .*, got boolean$/],
    [
      ['a', '* * * * *', ok, '1d'],
      /^the retry delay is no duration: days and weeks need ISO 8601; write "P1D" or "P1W"$/,
    ],
    [['a', '* * * * *', ok, '5'], /^the retry delay is no duration: a number without a unit/],
    [['a', '* * * * *', ok, 'P1M'], /^the retry delay is no duration: write weeks, days/],
    [['a', '* * * * *', ok, 'soon'], /^the retry delay is no duration: write for example "90s"/],
  ]
  for (const [registration, problem] of causes) {
    const error = await refusal([registration])
    assert.equal(error.name, 'RegistrationShapeError')
    assert.match((error.cause as Error).message, problem)
    assert.equal((error.details as { cause?: unknown }).cause, error.cause)
  }
})

test('Error Throwing Guarantees › a stop inside a callback says which, and what to do', async () => {
  const world = new Fixture({ at: '2026-06-10T12:00:00Z' })
  let refused: unknown
  const work = async () => {
    refused = await world.scheduler.stop().catch(error => error)
  }
  await world.scheduler.initialize([['self', '* * * * *', work, 0]])
  await world.run(SECOND)
  const message =
    'Cannot stop scheduler from inside the callback of task "self": stop() waits for that callback to end. ' +
    'Let the callback return first, for example by setting a flag that the code around the scheduler acts on'
  expectError(refused, 'SchedulerStopInCallbackError', message, { taskName: 'self' })
})

test('Error Throwing Guarantees › an instance that was replaced is told by whose store', () => {
  const cause = new Error('terminated')
  const error = new StoreLostError('billing', cause)
  expectError(error, 'StoreLostError', 'Another instance has taken over billing', { store: 'billing' })
  assert.equal(error.cause, cause)
})

test('Error Throwing Guarantees › messages show what was expected, never what callers keep in their values', async () => {
  const secret = 'postgres://kron:hunter2@db'
  const wrong = [
    [secret],
    ['a', '* * * * *', secret, 0],
    ['a', '* * * * *', ok, { secret }],
    ['a', '* * * * *', ok, secret],
  ]
  for (const registration of wrong) {
    const error = await refusal([registration])
    assert.doesNotMatch(`${error.message} ${(error.cause as Error).message}`, /hunter2/)
    // The details contain the value, for debugging.
    assert.equal((error.details as { received: unknown }).received, registration)
  }
})
