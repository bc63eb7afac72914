import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  cronMatches,
  cronNext,
  cronPrev,
  fileStore,
  makeScheduler,
  memoryStore,
  parseCron,
  parseCronField,
  postgresStore,
  runNow,
  type SchedulerOptions,
  subscribe,
  tasksOf,
} from '../index.ts'

const loose = (value: unknown) => value as never

test('parseCron of something else than a text is an InvalidCronExpressionError', () => {
  for (const [value, got] of [
    [123, 'number'],
    [undefined, 'undefined'],
    [null, 'null'],
    [['* * * * *'], 'array'],
  ] as const) {
    assert.throws(() => parseCron(loose(value)), {
      name: 'InvalidCronExpressionError',
      message: new RegExp(`expression field must be a string, got ${got}$`),
    })
  }
  assert.throws(() => parseCronField(loose(5), 'minute'), { name: 'FieldParseError' })
  assert.throws(() => parseCronField('5', loose('second')), {
    name: 'OptionError',
    message: /field must be one of minute, hour/,
  })
})

test('an expression where a parsed one is needed, and a time that is none, are named', () => {
  const cron = parseCron('* * * * *')
  for (const call of [cronNext, cronPrev, cronMatches]) {
    assert.throws(() => call(loose('* * * * *'), 0), {
      name: 'OptionError',
      message: new RegExp(`^${call.name}: cron must be what parseCron returns, got '`),
    })
    assert.throws(() => call(cron, loose(new Date())), {
      name: 'OptionError',
      message: /must be epoch milliseconds/,
    })
  }
})

test('options that are missing, unknown or wrong are named', () => {
  const store = memoryStore()
  const wrong: [unknown, RegExp][] = [
    [undefined, /^makeScheduler: options must be an object/],
    [{}, /^makeScheduler: store must be an object with load, commit, close/],
    [{ store: {} }, /load is missing/],
    [{ store, stores: 1 }, /^makeScheduler: stores is no option; there are store,/],
    [{ store, clock: {} }, /^makeScheduler: clock .* now is missing/],
    [{ store, timeZone: 'paris' }, /timeZone must be an IANA time zone such as Europe\/Paris, got 'paris'/],
    [{ store, schedules: 'quartz' }, /schedules must be 'posix' or 'kron'/],
    [{ store, namespace: '' }, /namespace must be a non-empty string, got ''/],
    [{ store, maxConcurrent: 0 }, /maxConcurrent must be a number of at least 1/],
    [{ store, stopGrace: 'soon' }, /stopGrace/],
    [{ store, onEvent: 5 }, /onEvent must be a function/],
  ]
  for (const [options, message] of wrong)
    assert.throws(() => makeScheduler(options as SchedulerOptions), { name: 'OptionError', message })
})

test('stores without a place or a name are refused at once', () => {
  assert.throws(() => fileStore(loose(undefined)), { name: 'OptionError', message: /^fileStore: directory/ })
  const connectionString = 'postgres://localhost/x'
  assert.throws(() => postgresStore({ name: '', connectionString }), { name: 'OptionError', message: /name/ })
  assert.throws(() => postgresStore({ name: 'a' }), {
    name: 'OptionError',
    message: /pool or connectionString/,
  })
  assert.throws(() => postgresStore({ name: 'a', connectionString, schema: '' }), {
    name: 'OptionError',
    message: /schema/,
  })
})

test('the free functions say what they need', async () => {
  assert.throws(() => tasksOf(loose({})), { name: 'OptionError', message: /what makeScheduler returns/ })
  const scheduler = makeScheduler({ store: memoryStore() })
  assert.throws(() => subscribe(scheduler, loose(1)), { name: 'OptionError' })
  await assert.rejects(runNow(scheduler, 'a'), { name: 'SchedulerNotRunningError' })
})
