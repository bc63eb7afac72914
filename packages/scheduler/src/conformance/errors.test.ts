import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectError, refusal } from '@kron/testkit/scheduler/conformance/expect-error'
import { Fixture, ms } from '@kron/testkit/scheduler/conformance/fixture'
import {
  cronNext,
  cronPrev,
  type InvalidCronExpressionError,
  parseCron,
  parseCronField,
  TaskTryDeserializeError,
} from '../index.ts'
import { readRecord } from '../task/read-record.ts'

const ok = () => {}

test('Error Model › RegistrationsNotArrayError', async () => {
  for (const value of [undefined, null, {}, 'a', new Set()]) {
    expectError(
      await refusal(value),
      'RegistrationsNotArrayError',
      'Registrations must be an array',
      undefined,
    )
  }
})

test('Error Model › RegistrationShapeError', async () => {
  const message = 'Invalid registration shape: expected [string, string, function, Duration]'
  const wrong: unknown[] = [
    undefined,
    'a',
    {},
    [],
    ['a', '* * * * *', ok],
    ['a', '* * * * *', ok, 0, 0],
    [1, '* * * * *', ok, 0],
    ['a', 5, ok, 0],
    ['a', '* * * * *', 'callback', 0],
    ['a', '* * * * *', ok, undefined],
    ['a', '* * * * *', ok, null],
    ['a', '* * * * *', ok, true],
    ['a', '* * * * *', ok, {}],
    ['a', '* * * * *', ok, 5n],
    ['a', '* * * * *', ok, 'soon'],
    ['a', '* * * * *', ok, ''],
    ['a', '* * * * *', ok, { toMillis: () => '5' }],
  ]
  for (const received of wrong) {
    const error = await refusal([['first', '* * * * *', ok, 0], received])
    expectError(error, 'RegistrationShapeError', message, { registrationIndex: 1, received })
  }
})

test('Error Model › InvalidRegistrationError', async () => {
  expectError(
    await refusal([['', '* * * * *', ok, 0]]),
    'InvalidRegistrationError',
    'Invalid registration: name must not be empty',
    { field: 'name', value: '', reason: 'must not be empty' },
  )
  const delays: [unknown, string][] = [
    [Number.NaN, 'must be a fixed number of milliseconds, got NaN'],
    [Number.POSITIVE_INFINITY, 'must be finite'],
    [0.5, 'must be a whole number of milliseconds'],
    ['100us', 'must be a whole number of milliseconds'],
    [2 ** 53, 'must be at most 9007199254740991 ms'],
  ]
  for (const [value, reason] of delays) {
    const error = await refusal([['a', '* * * * *', ok, value]])
    expectError(error, 'InvalidRegistrationError', `Invalid registration: retryDelay ${reason}`, {
      field: 'retryDelay',
      value,
      reason,
    })
  }
})

test('Error Model › ScheduleDuplicateTaskError', async () => {
  const error = await refusal([
    ['a', '* * * * *', ok, 0],
    ['a', '0 0 * * *', ok, 0],
  ])
  expectError(error, 'ScheduleDuplicateTaskError', 'Task with name "a" is already scheduled', {
    taskName: 'a',
  })
  assert.equal((error as unknown as { registrationIndex: number }).registrationIndex, 1)
})

test('Error Model › SchedulerAlreadyActiveError', async () => {
  const world = new Fixture({ at: '2026-06-10T12:00:00Z' })
  const again = () => world.scheduler.initialize([]).catch(error => error)
  const initialized = world.scheduler.initialize([])
  for (const currentState of ['initializing', 'running']) {
    const message = `Cannot initialize scheduler: scheduler is already ${currentState}`
    expectError(await again(), 'SchedulerAlreadyActiveError', message, { currentState })
    await initialized
  }
})

test('Error Model › CronExpressionInvalidError', async () => {
  const error = await refusal([['a', '61 * * * *', ok, 0]])
  const reason = 'has "61", outside 0-59'
  expectError(
    error,
    'CronExpressionInvalidError',
    `Invalid cron expression "61 * * * *": minute field ${reason}`,
    {
      expression: '61 * * * *',
      field: 'minute',
      reason,
    },
  )
  assert.equal((error.cause as Error).name, 'InvalidCronExpressionError')
  assert.equal((error.details as { cause?: unknown }).cause, error.cause)
})

test('Error Model › CronExpressionInvalidError for an expression that never matches, caused by a CronCalculationError', async () => {
  const error = await refusal([['a', '0 0 30 2 *', ok, 0]])
  assert.equal(error.name, 'CronExpressionInvalidError')
  assert.equal((error.details as { field: string }).field, 'day')
  const cause = error.cause as Error & { details: { expression: string; currentTime: string; cause: Error } }
  assert.equal(cause.name, 'CronCalculationError')
  assert.equal(cause.message, `Failed to calculate next occurrence: ${cause.details.cause.message}`)
  assert.equal(cause.details.expression, '0 0 30 2 *')
  assert.equal(cause.details.currentTime, '2026-06-10T12:00:00.000Z')
})

test('Error Model › NegativeRetryDelayError', async () => {
  const delays: [unknown, number][] = [
    [-1, -1],
    ['-5m', -300_000],
    ['-PT5M', -300_000],
    [{ toMillis: () => -7 }, -7],
  ]
  for (const [delay, retryDelayMs] of delays) {
    const error = await refusal([['a', '* * * * *', ok, delay]])
    expectError(error, 'NegativeRetryDelayError', 'Retry delay must be non-negative', { retryDelayMs })
  }
})

test('Error Model › InvalidCronExpressionError, caused by a FieldParseError', () => {
  let thrown: InvalidCronExpressionError | undefined
  try {
    parseCron('0 0 * * 9')
  } catch (error) {
    thrown = error as InvalidCronExpressionError
  }
  const reason = 'has "9", outside 0-6'
  expectError(
    thrown,
    'InvalidCronExpressionError',
    `Invalid cron expression "0 0 * * 9": weekday field ${reason}`,
    {
      expression: '0 0 * * 9',
      field: 'weekday',
      reason,
    },
  )
  expectError(thrown?.cause, 'FieldParseError', `weekday field ${reason}`, {
    fieldValue: '9',
    fieldName: 'weekday',
  })
  assert.equal(thrown?.details.cause, thrown?.cause)
})

test('Error Model › FieldParseError', () => {
  assert.throws(
    () => parseCronField('5-1', 'hour'),
    error => {
      const message = 'hour field has the range "5-1", which runs backwards'
      expectError(error, 'FieldParseError', message, { fieldValue: '5-1', fieldName: 'hour' })
      return true
    },
  )
})

test('Error Model › CronCalculationError', () => {
  const cron = parseCron('0 0 29 2 *')
  for (const [calculate, time] of [
    [cronNext, '2201-01-01T00:00:00Z'],
    [cronPrev, '1969-12-31T00:00:00Z'],
  ] as const) {
    assert.throws(
      () => calculate(cron, ms(time), 'UTC'),
      error => {
        const { cause } = error as Error & { cause: Error }
        const currentTime = new Date(time).toISOString()
        const details = { expression: '0 0 29 2 *', currentTime, cause }
        expectError(
          error,
          'CronCalculationError',
          `Failed to calculate next occurrence: ${cause.message}`,
          details,
        )
        return true
      },
    )
  }
})

const RECORD = { name: 'a', cronExpression: '* * * * *', retryDelayMs: 0, firstSeenAt: 1 }

test('Error Model › TaskMissingFieldError', () => {
  for (const field of ['name', 'cronExpression', 'retryDelayMs', 'firstSeenAt'] as const) {
    const { [field]: _, ...rest } = RECORD
    const error = readRecord(rest)
    expectError(error, 'TaskMissingFieldError', `Missing required field: ${field}`, { field })
    assert.ok(error instanceof TaskTryDeserializeError)
  }
})

test('Error Model › TaskInvalidTypeError', () => {
  const wrong: [string, unknown, string, string][] = [
    ['name', 5, 'string', 'number'],
    ['cronExpression', null, 'string', 'null'],
    ['retryDelayMs', '5m', 'number', 'string'],
    ['lastAttemptAt', [], 'number', 'array'],
    ['runningBy', {}, 'string', 'object'],
  ]
  for (const [field, value, expectedType, actualType] of wrong) {
    const error = readRecord({ ...RECORD, [field]: value })
    const message = `Invalid type for field '${field}': expected ${expectedType}, got ${actualType}`
    expectError(error, 'TaskInvalidTypeError', message, { field, value, expectedType, actualType })
  }
})

test('Error Model › TaskInvalidValueError', () => {
  const wrong: [string, unknown, string][] = [
    ['name', '', 'must not be empty'],
    ['retryDelayMs', -1, 'must be non-negative'],
    ['lastAttemptAt', 1.5, 'must be a whole number of milliseconds'],
    ['firstSeenAt', Number.NaN, 'must be a whole number of milliseconds'],
  ]
  for (const [field, value, reason] of wrong) {
    const error = readRecord({ ...RECORD, [field]: value })
    expectError(error, 'TaskInvalidValueError', `Invalid value for field '${field}': ${reason}`, {
      field,
      value,
      reason,
    })
  }
})

test('Error Model › TaskInvalidStructureError', () => {
  for (const [value, got] of [
    [null, 'null'],
    [[], 'array'],
    ['a', 'string'],
  ] as const) {
    const message = `Invalid task structure: expected an object, got ${got}`
    expectError(readRecord(value), 'TaskInvalidStructureError', message, { value })
  }
})
