import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeScheduler, StoreLostError, virtualClock } from '../index.ts'
import { expectError, refusal } from './expect-error.test-support.ts'
import { Fixture, SECOND, silent } from './fixture.test-support.ts'

const ok = () => {}

test('Error Throwing Guarantees › the order of checks: shape, duplicates, cron, value of the delay', async () => {
  const names = async (...registrations: unknown[]) => (await refusal(registrations)).name
  assert.equal(await names([1, 'x', 'y', -1]), 'RegistrationShapeError')
  assert.equal(await names(['', 'x', ok, -1]), 'InvalidRegistrationError')
  assert.equal(await names(['a', 'x', 'y', -1]), 'RegistrationShapeError')
  assert.equal(await names(['a', 'x', ok, 'soon']), 'RegistrationShapeError')
  assert.equal(await names(['a', '* * * * *', ok, 0], ['a', 'x', ok, -1]), 'ScheduleDuplicateTaskError')
  assert.equal(await names(['a', 'x', ok, -1]), 'CronExpressionInvalidError')
  assert.equal(await names(['a', '* * * * *', ok, -1]), 'NegativeRetryDelayError')
  // The first registration that is wrong counts, whatever is wrong with a later one.
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
    'Cannot initialize scheduler: failed to find the time zone: "Mars/Olympus" is not an IANA time zone',
  )
  assert.deepEqual([store.loads, store.commits.length], [0, 0])
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
    assert.doesNotMatch(error.message, /hunter2/)
    // Whoever debugs finds it in the details.
    assert.equal((error.details as { received: unknown }).received, registration)
  }
})
