import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BootClock } from './boot-clock.ts'

test('boot time follows the monotonic clock exactly, and a suspend is noticed', () => {
  let monotonic = 1_000
  let suspended = 0
  const truth = (): number => monotonic + 500 + suspended
  // The kernel shows hundredths of a second, rounded down.
  const clock = new BootClock(
    500,
    () => Math.floor(truth() / 10) * 10,
    () => monotonic,
  )
  for (const step of [0.25, 3, 7.5, 60_000]) {
    monotonic += step
    assert.equal(clock.nowMs(), truth())
  }
  suspended = 3_600_000
  assert.ok(Math.abs(clock.nowMs() - truth()) <= 10)
})

test('without a known offset it is right to a hundredth of a second', () => {
  const clock = new BootClock(
    undefined,
    () => 1_230,
    () => 7,
  )
  assert.equal(clock.nowMs(), 1_230)
})
