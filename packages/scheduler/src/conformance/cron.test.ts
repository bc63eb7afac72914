import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Fixture, ms } from '@kron/testkit/scheduler/conformance/fixture'
import {
  cronMatches,
  cronNext,
  cronPrev,
  InvalidCronExpressionError,
  parseCron,
  parseCronField,
} from '../index.ts'

const fieldOf = (expression: string): string => {
  try {
    parseCron(expression)
  } catch (error) {
    if (error instanceof InvalidCronExpressionError) return error.details.field
    throw error
  }
  return 'valid'
}

test('Cron Language Specification › the examples of valid expressions are accepted', () => {
  for (const expression of ['0 0 * * *', '15 3 * * 1-5', '0,30 * * * *', '0 12 14 2 *']) {
    assert.equal(fieldOf(expression), 'valid', expression)
  }
})

test('Cron Language Specification › the examples of invalid expressions are rejected', () => {
  assert.equal(fieldOf('*/15 * * * *'), 'minute')
  assert.equal(fieldOf('0 0 * * mon'), 'weekday')
  assert.equal(fieldOf('@daily'), 'expression')
  assert.equal(fieldOf('0 0 ? * *'), 'day')
})

test('Cron Language Specification › fields are separated by blanks and tabs, which may also surround them', () => {
  assert.equal(fieldOf(' \t0  0\t*\t \t* * \t'), 'valid')
  assert.notEqual(fieldOf('0\n0 * * *'), 'valid')
  assert.notEqual(fieldOf('0\u00a00 * * *'), 'valid')
})

test('Validation Rules › exactly five fields', () => {
  for (const expression of ['', ' ', '* * * *', '* * * * * *', '0 0 0 * * * 2026']) {
    assert.equal(fieldOf(expression), 'expression', expression)
  }
})

test('Validation Rules › no steps', () => {
  for (const field of ['*/2', '0-30/5', '5/5']) assert.equal(fieldOf(`${field} * * * *`), 'minute', field)
})

test('Validation Rules › no names', () => {
  assert.equal(fieldOf('0 0 * jan *'), 'month')
  assert.equal(fieldOf('0 0 * JAN-MAR *'), 'month')
  assert.equal(fieldOf('0 0 * * sunday'), 'weekday')
})

test('Validation Rules › no macros', () => {
  for (const macro of ['@daily', '@hourly', '@reboot', '@every 5m'])
    assert.equal(fieldOf(macro), 'expression', macro)
})

test('Validation Rules › no Quartz tokens', () => {
  assert.equal(fieldOf('0 0 ? * *'), 'day')
  assert.equal(fieldOf('0 0 L * *'), 'day')
  assert.equal(fieldOf('0 0 15W * *'), 'day')
  assert.equal(fieldOf('0 0 * * 5#2'), 'weekday')
})

test('Validation Rules › no weekday 7', () => {
  assert.equal(fieldOf('0 0 * * 7'), 'weekday')
  assert.equal(fieldOf('0 0 * * 0-7'), 'weekday')
  assert.equal(fieldOf('0 0 * * 0-6'), 'valid')
})

test('Validation Rules › no ranges that wrap around', () => {
  assert.equal(fieldOf('0 22-4 * * *'), 'hour')
  assert.equal(fieldOf('0 5-5 * * *'), 'valid')
})

test('Validation Rules › no values outside the field', () => {
  assert.equal(fieldOf('60 * * * *'), 'minute')
  assert.equal(fieldOf('* 24 * * *'), 'hour')
  assert.equal(fieldOf('* * 0 * *'), 'day')
  assert.equal(fieldOf('* * 32 * *'), 'day')
  assert.equal(fieldOf('* * * 0 *'), 'month')
  assert.equal(fieldOf('* * * 13 *'), 'month')
})

test('Validation Rules › no numbers but decimal digits; leading zeros are digits', () => {
  for (const number of ['1e1', '0x5', '+5', '-5', '5.0', '٥'])
    assert.equal(fieldOf(`${number} * * * *`), 'minute', number)
  assert.equal(fieldOf('00 007 * * *'), 'valid')
})

test('Validation Rules › a star stands alone', () => {
  assert.equal(fieldOf('*,5 * * * *'), 'minute')
  assert.equal(fieldOf('** * * * *'), 'minute')
})

test('Validation Rules › an expression that never matches is rejected', () => {
  assert.equal(fieldOf('0 0 30 2 *'), 'day')
  assert.equal(fieldOf('0 0 31 4,6,9,11 *'), 'day')
  assert.equal(fieldOf('0 0 29 2 *'), 'valid')
  assert.equal(fieldOf('0 0 30 2 1'), 'valid')
})

test('Day-of-Month/Day-of-Week Semantics › the truth table', () => {
  const days = (expression: string): number[] => {
    const cron = parseCron(expression)
    return Array.from({ length: 30 }, (_, index) => index + 1).filter(day =>
      cronMatches(cron, Date.UTC(2026, 5, day), 'UTC'),
    )
  }
  assert.equal(days('0 0 * * *').length, 30)
  assert.deepEqual(days('0 0 * * 1'), [1, 8, 15, 22, 29])
  assert.deepEqual(days('0 0 15 * *'), [15])
  assert.deepEqual(days('0 0 1,15 * 1'), [1, 8, 15, 22, 29])
  assert.deepEqual(days('0 0 2,16 * 1'), [1, 2, 8, 15, 16, 22, 29])
})

test('Cron Language Specification › the free functions tell occurrences', () => {
  const cron = parseCron('30 2 * * *')
  const zone = 'Europe/Paris'
  assert.equal(cronNext(cron, ms('2026-10-24T12:00:00Z'), zone), ms('2026-10-25T00:30:00Z'))
  assert.equal(cronNext(cron, ms('2026-10-25T00:30:00Z'), zone), ms('2026-10-25T01:30:00Z'))
  assert.equal(cronPrev(cron, ms('2026-03-29T12:00:00Z'), zone), ms('2026-03-28T01:30:00Z'))
  assert.equal(cronMatches(cron, ms('2026-10-25T00:30:59.999Z'), zone), true)
  assert.deepEqual(parseCronField('5,1-3', 'hour'), [1, 2, 3, 5])
})

test('Day-of-Month/Day-of-Week Semantics › a task runs when either matches', async () => {
  const world = new Fixture({ at: '2026-06-01T12:00:00Z' })
  await world.scheduler.initialize([world.task('a', '0 0 2 * 5')])
  await world.runUntil('2026-06-08T00:00:00Z')
  assert.deepEqual(world.startsOf('a'), ['2026-06-02T00:00:00.000Z', '2026-06-05T00:00:00.000Z'])
})
