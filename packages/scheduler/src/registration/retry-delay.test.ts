import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readRetryDelay } from './retry-delay.ts'

test('a delay is read from milliseconds, texts and durations', () => {
  const delays: [unknown, number | undefined][] = [
    [0, 0],
    [1500, 1500],
    ['0', 0],
    ['90s', 90_000],
    ['1h30m', 5_400_000],
    ['1.5h', 5_400_000],
    ['250ms', 250],
    ['PT5M', 300_000],
    ['PT0S', 0],
    ['P1DT2H', 93_600_000],
    ['P1W', 604_800_000],
    ['PT1.5S', 1_500],
    ['PT1,5S', 1_500],
    ['-5m', -300_000],
    [{ toMillis: () => 42 }, 42],
    [{ total: (unit: string) => (unit === 'milliseconds' ? 7 : 0) }, 7],
  ]
  for (const [delay, milliseconds] of delays) assert.equal(readRetryDelay(delay), milliseconds, String(delay))
})

test('what is no duration is not read', () => {
  for (const delay of [
    'P',
    'PT',
    'P1M',
    'P1Y',
    'PT5',
    '5',
    'five',
    ' 5m',
    '5 m',
    '--5m',
    '+5m',
    undefined,
    null,
    [],
    () => 5,
  ]) {
    assert.equal(readRetryDelay(delay), undefined, String(delay))
  }
})

test('a Temporal.Duration counts, unless its length depends on a calendar', () => {
  assert.equal(readRetryDelay(Temporal.Duration.from('PT5M')), 300_000)
  assert.equal(readRetryDelay(Temporal.Duration.from({ hours: -1 })), -3_600_000)
  assert.equal(readRetryDelay(Temporal.Duration.from({ months: 1 })), Number.NaN)
})
