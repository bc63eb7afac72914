import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  bytesText,
  clockText,
  dayText,
  durationText,
  jobsText,
  percentText,
  ratioText,
  relativeText,
  spanText,
} from './format.ts'

test('spans have two units at most', () => {
  assert.deepEqual([0, 1, 59, 60, 61, 3_600, 3_660, 90_061, 1e6].map(spanText), [
    '0s',
    '1s',
    '59s',
    '1m',
    '1m 1s',
    '1h',
    '1h 1m',
    '1d 1h',
    '11d 13h',
  ])
})

test('near times are told relative to now', () => {
  assert.equal(relativeText(100, 100), 'now')
  assert.equal(relativeText(160, 100), 'in 1m')
  assert.equal(relativeText(40, 100), '1m ago')
})

test('times are told in the zone asked for', () => {
  const at = Date.parse('2020-07-01T22:30:05Z') / 1_000
  assert.equal(clockText(at, 'UTC'), '22:30:05')
  assert.equal(clockText(at, 'Europe/Paris'), '00:30:05')
  assert.equal(dayText(at, 'Europe/Paris'), 'Thu 2 Jul 2020')
})

test('numbers read well', () => {
  assert.equal(jobsText(1), '1 job')
  assert.equal(jobsText(10_000), '10,000 jobs')
  assert.deepEqual([1.234, 12.34, 1_234].map(ratioText), ['1.23', '12.3', '1,234'])
})

test('a share is 100 % only if it is all, and 0 % only if it is none', () => {
  assert.equal(percentText(0, 0), '–')
  assert.equal(percentText(0, 7), '0%')
  assert.equal(percentText(7, 7), '100%')
  assert.equal(percentText(9_999, 10_000), '99.9%')
  assert.equal(percentText(1, 100_000), '0.1%')
  assert.equal(percentText(2, 3), '67%')
})

test('durations and sizes are short', () => {
  assert.deepEqual([40, 1_240, 12_000, 184_000].map(durationText), ['<0.1s', '1.2s', '12s', '3m 4s'])
  assert.deepEqual([0, 1_023, 1_536, 65_536, 3_565_158].map(bytesText), [
    '0 B',
    '1023 B',
    '1.5 KiB',
    '64 KiB',
    '3.4 MiB',
  ])
})
