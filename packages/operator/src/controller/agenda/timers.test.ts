import assert from 'node:assert/strict'
import { test } from 'node:test'
import { VirtualClock } from '@kron/runtime'
import { Timers } from './timers.ts'

function timersAt(now: number) {
  const clock = new VirtualClock({ now: now * 1000 })
  const told: string[] = []
  const timers = new Timers({
    clock,
    onDue: (keys, at) => told.push(`${at}: ${keys.join(' ')}`),
    onJump: () => {},
  })
  return { clock, timers, told }
}

test('keys of one second are due together, and a key of the past at once', () => {
  const { clock, timers, told } = timersAt(100)
  timers.set('a', 160)
  timers.set('b', 160)
  timers.set('c', 162)
  timers.set('d', 99)
  clock.advance(80_000)
  assert.deepEqual(told, ['100: d', '160: a b', '162: c'])
  assert.equal(timers.size, 0)
})

test('a key may be moved or removed', () => {
  const { clock, timers, told } = timersAt(100)
  timers.set('a', 110)
  timers.set('b', 110)
  clock.advance(6_000)
  timers.set('a', 130)
  timers.remove('b')
  clock.advance(30_000)
  assert.deepEqual(told, ['130: a'])
})
