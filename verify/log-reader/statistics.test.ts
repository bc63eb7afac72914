import assert from 'node:assert/strict'
import { test } from 'node:test'
import { median, medianInterval } from './statistics.ts'

test('the median is the middle value, or the mean of both', () => {
  assert.equal(median([3, 1, 2]), 2)
  assert.equal(median([4, 1, 3, 2]), 2.5)
  assert.equal(median([1, Infinity, Infinity, Infinity]), Infinity)
})

test('the interval is that of the tables of the sign test', () => {
  const upTo = (count: number): number[] => Array.from({ length: count }, (_, n) => n + 1)
  assert.equal(medianInterval(upTo(5)), undefined)
  assert.deepEqual(medianInterval(upTo(6)), { median: 3.5, lower: 1, upper: 6 })
  assert.deepEqual(medianInterval(upTo(10)), { median: 5.5, lower: 2, upper: 9 })
  assert.deepEqual(medianInterval(upTo(50)), { median: 25.5, lower: 18, upper: 33 })
})

test('starts that never came move the interval, and the order of the values does not', () => {
  assert.deepEqual(medianInterval([2, Infinity, 1, Infinity, Infinity, Infinity, Infinity, Infinity]), {
    median: Infinity,
    lower: 1,
    upper: Infinity,
  })
})
