import assert from 'node:assert/strict'
import { test } from 'node:test'
import { retryTime } from './retry.ts'

test('the pauses between tries double up to a minute', () => {
  const pauses = Array.from({ length: 9 }, (_, tries) => retryTime(tries, 1_000, 9_999) - 1_000)
  assert.deepEqual(pauses, [1, 2, 4, 8, 16, 32, 60, 60, 60])
})

test('the last try comes when the deadline has just passed, and never before now', () => {
  assert.equal(retryTime(6, 1_000, 1_010), 1_011)
  assert.equal(retryTime(0, 1_000, 900), 1_000)
})
