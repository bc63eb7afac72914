import assert from 'node:assert/strict'
import { test } from 'node:test'
import { VirtualClock } from './virtual-clock.ts'

test('timers fire in the order of their instants, each at its own time', () => {
  const clock = new VirtualClock({ now: 1_000 })
  const fired: string[] = []
  clock.setTimer(20, () => fired.push(`b ${clock.now()}`))
  clock.setTimer(10, () => {
    fired.push(`a ${clock.now()}`)
    clock.setTimer(5, () => fired.push(`nested ${clock.now()}`))
  })
  clock.advance(30)
  assert.deepEqual(fired, ['a 1010', 'nested 1015', 'b 1020'])
  assert.equal(clock.now(), 1_030)
  assert.equal(clock.timerCount, 0)
})

test('a cleared timer never fires, and clearing it again leaves its successor alone', () => {
  const clock = new VirtualClock()
  const fired: string[] = []
  const fire = () => fired.push('x')
  const first = clock.setTimer(1, fire)
  clock.clearTimer(first)
  clock.setTimer(2, fire)
  clock.clearTimer(first)
  clock.advance(5)
  assert.deepEqual(fired, ['x'])
})

test('a jump moves the wall clock only', () => {
  const clock = new VirtualClock({ now: 5_000 })
  let fired = 0
  clock.setTimer(100, () => fired++)
  clock.jump(-3_600_000)
  assert.equal(clock.now(), 5_000 - 3_600_000)
  assert.equal(clock.monotonic(), 0)
  clock.advance(99)
  assert.equal(fired, 0)
  clock.advance(1)
  assert.equal(fired, 1)
})

test('timers can be made early or late', () => {
  const clock = new VirtualClock({ distort: milliseconds => milliseconds - 3 })
  let firedAt = -1
  clock.setTimer(10, () => {
    firedAt = clock.now()
  })
  clock.advance(20)
  assert.equal(firedAt, 7)
})

test('running lets the promises of one timer settle before the next one fires', async () => {
  const clock = new VirtualClock()
  const seen: string[] = []
  clock.setTimer(1, async () => {
    await Promise.resolve()
    await Promise.resolve()
    seen.push(`settled at ${clock.now()}`)
  })
  clock.setTimer(2, () => seen.push('second'))
  await clock.run(10)
  assert.deepEqual(seen, ['settled at 1', 'second'])
})
