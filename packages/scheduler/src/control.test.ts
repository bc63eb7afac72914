import assert from 'node:assert/strict'
import { subscribe as listenTo } from 'node:diagnostics_channel'
import { test } from 'node:test'
import { deferred, Fixture, MINUTE, ms, SECOND, silent } from '@kron/testkit/scheduler/conformance/fixture'
import {
  DIAGNOSTICS_CHANNEL,
  explain,
  makeScheduler,
  memoryStore,
  type RunContext,
  runNow,
  type SchedulerEvent,
  type SchedulerOptions,
  subscribe,
  tasksOf,
  virtualClock,
} from './index.ts'

const AT = '2026-06-10T12:00:00Z'
const NOON = ms(AT)

function schedulerAt(options: Partial<SchedulerOptions> = {}, at = AT) {
  const clock = virtualClock(at)
  const events: SchedulerEvent[] = []
  const onEvent = (event: SchedulerEvent) => void events.push(event)
  return {
    clock,
    events,
    scheduler: makeScheduler({ store: memoryStore(), clock, logger: silent, onEvent, ...options }),
  }
}

test('tasksOf tells the state of every task: waiting, running, waiting for a retry', async () => {
  const { clock, scheduler } = schedulerAt()
  const gate = deferred()
  assert.deepEqual(tasksOf(scheduler), [])
  await scheduler.initialize([
    ['long', '* * * * *', () => gate.promise, 0],
    ['broken', '0 * * * *', () => Promise.reject(new Error('no')), 10 * MINUTE],
    ['late', '0 18 * * *', () => {}, 0],
  ])
  await clock.run(SECOND)
  const [long, broken, late] = tasksOf(scheduler)
  assert.deepEqual(long, {
    name: 'long',
    schedule: '* * * * *',
    state: 'Running',
    firstSeenAt: NOON,
    lastAttemptAt: NOON,
    runningSince: NOON,
  })
  assert.equal(broken?.state, 'AwaitingRetry')
  assert.equal(broken?.nextDueAt, NOON + 10 * MINUTE)
  assert.equal(broken?.lastFailureAt, NOON)
  assert.deepEqual(late, {
    name: 'late',
    schedule: '0 18 * * *',
    state: 'AwaitingRun',
    firstSeenAt: NOON,
    nextDueAt: ms('2026-06-10T18:00:00Z'),
  })
  gate.resolve()
  await scheduler.stop()
  assert.deepEqual(tasksOf(scheduler), [])
})

test('runNow starts a task that is not due, durably and once, and resolves with how it ended', async () => {
  const world = new Fixture({ at: AT })
  const gate = deferred()
  await world.scheduler.initialize([world.task('a', '0 18 * * *', MINUTE, () => gate.promise)])
  const run = runNow(world.scheduler, 'a')
  await world.run(SECOND)
  assert.equal(world.record('a')?.runningBy, 'instance-1')
  await assert.rejects(runNow(world.scheduler, 'a'), { name: 'TaskAlreadyRunningError' })
  await assert.rejects(runNow(world.scheduler, 'b'), { name: 'TaskUnknownError' })
  gate.resolve()
  assert.deepEqual(await run, { kind: 'success' })
  await world.run(SECOND)
  assert.equal(world.startsOf('a').length, 1)
  assert.equal(world.eventsOf('TaskRunStarted')[0]?.cause, 'request')
  // The occurrence at six is still to come.
  await world.runUntil('2026-06-10T18:00:01Z')
  assert.equal(world.startsOf('a').length, 2)
  await world.scheduler.stop()
})

test('runNow of a task that fails resolves with the error, and the task is retried as ever', async () => {
  const world = new Fixture({ at: AT })
  await world.scheduler.initialize([
    world.task('a', '0 18 * * *', MINUTE, () => Promise.reject(new Error('no'))),
  ])
  const run = runNow(world.scheduler, 'a')
  await world.run(SECOND)
  const result = await run
  assert.equal(result.kind, 'failure')
  await world.run(MINUTE + SECOND)
  assert.equal(world.startsOf('a').length, 2)
  await world.scheduler.stop()
})

test('a run that was asked for but has not started when the scheduler stops is refused', async () => {
  const { scheduler } = schedulerAt()
  await scheduler.initialize([['a', '0 18 * * *', () => {}, 0]])
  const run = runNow(scheduler, 'a')
  const stopped = scheduler.stop()
  await assert.rejects(run, { name: 'SchedulerNotRunningError' })
  await stopped
})

test('explain says when a task starts next and why, and how a second was chosen', async () => {
  const { clock, scheduler } = schedulerAt({ schedules: 'kron', namespace: 'shop' })
  await scheduler.initialize([
    ['plain', '0 18 * * *', () => {}, 0],
    ['spread', '0 18 * * * @tz(Europe/Paris) @win(after,2h)', () => {}, 0],
    ['broken', '0 12 * * *', () => Promise.reject(new Error('no')), 5 * MINUTE],
  ])
  await clock.run(SECOND)
  assert.equal(
    explain(scheduler, 'plain').text,
    '"plain" (0 18 * * *, UTC) starts at 2026-06-10T18:00:00.000Z: that is its next occurrence',
  )
  assert.match(explain(scheduler, 'broken').text, /starts at 2026-06-10T12:05:00.*: its last run failed/)
  const { decision, nextDueAt, timeZone } = explain(scheduler, 'spread')
  assert.equal(timeZone, 'Europe/Paris')
  const { identity, chosenTime, attempts } = decision as {
    identity: string
    chosenTime: string
    attempts: unknown[]
  }
  assert.equal(identity, 'shop/spread')
  assert.equal(ms(chosenTime), nextDueAt)
  assert.equal(attempts.length, 1)
  assert.throws(() => explain(scheduler, 'nobody'), { name: 'TaskUnknownError' })
  await scheduler.stop()
})

test('subscribe hears every event until it is ended, and diagnostics_channel hears them all', async () => {
  const { clock, scheduler } = schedulerAt()
  const heard: string[] = []
  const published: string[] = []
  const onMessage = (message: unknown) => void published.push((message as SchedulerEvent).type)
  listenTo(DIAGNOSTICS_CHANNEL, onMessage)
  const end = subscribe(scheduler, event => heard.push(event.type))
  await scheduler.initialize([['a', '* * * * *', () => {}, 0]])
  await clock.run(SECOND)
  end()
  await scheduler.stop()
  assert.ok(heard.includes('TaskRunStarted') && heard.includes('TaskRunCompleted'))
  assert.ok(!heard.includes('SchedulerStopped'))
  assert.ok(published.includes('TaskRunStarted') && published.includes('SchedulerStopped'))
})

test('a callback is told its attempt and its occurrence, over retries and restarts', async () => {
  const world = new Fixture({ at: '2026-06-10T12:00:30Z' })
  const seen: [number, number][] = []
  const task = (): [string, string, (context: RunContext) => never, { delay: number; factor: number }] => [
    'a',
    '0 * * * *',
    ({ attempt, scheduledFor }) => {
      seen.push([attempt, scheduledFor])
      throw new Error('no')
    },
    { delay: MINUTE, factor: 2 },
  ]
  await world.scheduler.initialize([task()])
  await world.run(2 * MINUTE)
  await world.scheduler.stop()
  assert.equal(world.record('a')?.attempt, 2)
  world.scheduler = world.newInstance()
  await world.scheduler.initialize([task()])
  await world.runUntil('2026-06-10T13:00:30Z')
  await world.scheduler.stop()
  assert.deepEqual(
    seen.filter(([, at]) => at === NOON),
    [1, 2, 3, 4, 5, 6].map(attempt => [attempt, NOON]),
  )
  assert.deepEqual(seen.at(-1), [1, NOON + 60 * MINUTE])
})

test('a task that lost its retry policy counts attempts from one again, and stores none', async () => {
  const world = new Fixture({ at: '2026-06-10T12:00:30Z' })
  const fail = () => Promise.reject(new Error('no'))
  await world.scheduler.initialize([['a', '0 * * * *', fail, { delay: MINUTE, limit: 2 }]])
  await world.run(5 * MINUTE)
  await world.scheduler.stop()
  assert.equal(world.record('a')?.attempt, 3)
  const seen: number[] = []
  world.scheduler = world.newInstance()
  await world.scheduler.initialize([['a', '0 * * * *', ({ attempt }) => seen.push(attempt), MINUTE]])
  await world.runUntil('2026-06-10T13:00:30Z')
  await world.scheduler.stop()
  assert.deepEqual(seen, [1])
  assert.equal(world.record('a')?.attempt, undefined)
})

test('a retry policy multiplies the delay up to its maximum, and ends at its limit', async () => {
  const world = new Fixture({ at: AT })
  const [name, cron, callback] = world.task('a', '0 * * * *', 0, () => Promise.reject(new Error('no')))
  await world.scheduler.initialize([[name, cron, callback, { delay: '1m', factor: 3, max: '5m', limit: 3 }]])
  await world.run(59 * MINUTE)
  assert.deepEqual(
    world.startsOf('a').map(at => at.slice(14, 16)),
    ['00', '01', '04', '09'],
  )
  assert.equal(world.eventsOf('TaskRunFailed').at(-1)?.pendingRetryUntil, undefined)
  assert.equal(world.record('a')?.pendingRetryUntil, undefined)
  await world.run(90 * SECOND)
  assert.equal(world.startsOf('a').length, 5)
  await world.scheduler.stop()
})

test('a policy that cannot be read names its field', async () => {
  const { scheduler } = schedulerAt()
  const wrong: [object, RegExp][] = [
    [{ delay: '1m', factor: 0.5 }, /retry\.factor must be a number of at least 1/],
    [{ delay: 'soon' }, /retry\.delay/],
    [{ delay: 1, limit: -1 }, /retry\.limit must be a whole number of retries/],
    [{ delay: 1, tries: 3 }, /retry\.tries is unknown; a policy has delay, factor, max, limit, timeout/],
    [{ delay: 1, timeout: -5 }, /retry\.timeout must be non-negative/],
  ]
  for (const [policy, message] of wrong)
    await assert.rejects(scheduler.initialize([['a', '* * * * *', () => {}, policy as never]]), {
      name: 'InvalidRegistrationError',
      message,
    })
})

test('a run that takes longer than its timeout is told so, and goes on until it ends', async () => {
  const { clock, scheduler } = schedulerAt()
  let signal: AbortSignal | undefined
  const reasons: string[] = []
  await scheduler.initialize([
    [
      'a',
      '0 12 * * *',
      context =>
        new Promise((_, reject) => {
          signal = context.signal
          signal.addEventListener('abort', () => {
            reasons.push(signal?.reason.name)
            reject(signal?.reason)
          })
        }),
      { delay: '1h', timeout: '10s' },
    ],
  ])
  await clock.run(9 * SECOND)
  assert.equal(signal?.aborted, false)
  await clock.run(2 * SECOND)
  assert.deepEqual(reasons, ['TimeoutError'])
  assert.equal(tasksOf(scheduler)[0]?.state, 'AwaitingRetry')
  await scheduler.stop()
})

test('after a stop callbacks have their grace, and then their signals are aborted', async () => {
  for (const [stopGrace, before, after] of [
    ['5s', false, true],
    [0, true, true],
    [Number.POSITIVE_INFINITY, false, false],
  ] as const) {
    const { clock, scheduler } = schedulerAt({ stopGrace })
    const gate = deferred()
    let signal: AbortSignal | undefined
    const callback = (context: RunContext) => {
      signal = context.signal
      return gate.promise
    }
    await scheduler.initialize([['a', '* * * * *', callback, 0]])
    await clock.run(SECOND)
    const stopped = scheduler.stop()
    await clock.run(SECOND)
    assert.equal(signal?.aborted, before, String(stopGrace))
    await clock.run(10 * SECOND)
    assert.equal(signal?.aborted, after, String(stopGrace))
    if (after) assert.equal(signal?.reason.name, 'AbortError')
    gate.resolve()
    await stopped
  }
})

test('no more callbacks than maxConcurrent are at work, and all get their turn', async () => {
  const { clock, scheduler } = schedulerAt({ maxConcurrent: 3 })
  let running = 0
  let most = 0
  const done = new Set<string>()
  const names = Array.from({ length: 20 }, (_, index) => `task-${index}`)
  await scheduler.initialize(
    names.map(name => [
      name,
      '0 12 * * *',
      async () => {
        most = Math.max(most, ++running)
        await new Promise<void>(resolve => clock.setTimer(10 * SECOND, resolve))
        running--
        done.add(name)
      },
      0,
    ]),
  )
  await clock.run(30 * SECOND)
  assert.equal(most, 3)
  await clock.run(60 * SECOND)
  assert.equal(done.size, 20)
  assert.equal(most, 3)
  await scheduler.stop()
})

test('a scheduler has two methods and nothing else, whatever its options', () => {
  const { scheduler } = schedulerAt({ schedules: 'kron', maxConcurrent: 2 })
  assert.deepEqual(Reflect.ownKeys(scheduler), ['initialize', 'stop'])
})
