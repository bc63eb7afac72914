import assert from 'node:assert/strict'
import { test } from 'node:test'
import { VirtualClock } from '@kron/runtime'
import { Timers } from './timers.ts'

function timersAt(now: number) {
  const clock = new VirtualClock({ now: now * 1000 })
  const told: string[] = []
  const timers = new Timers({
    clock,
    ahead: 5,
    onDue: (keys, at) => told.push(`${at}: ${keys.join(' ')} due`),
    onNear: keys => told.push(`${Math.floor(clock.now() / 1000)}: ${keys.join(' ')} near`),
    onJump: () => {},
  })
  return { clock, timers, told }
}

test('a key is near first and due then', () => {
  const { clock, timers, told } = timersAt(100)
  timers.set('a', 160)
  timers.set('b', 160)
  timers.set('c', 162)
  clock.advance(80_000)
  assert.deepEqual(told, ['155: a b near', '157: c near', '160: a b due', '162: c due'])
  assert.equal(timers.size, 0)
})

test('a key that is set when it is near already is only due', () => {
  const { clock, timers, told } = timersAt(100)
  timers.set('a', 104)
  timers.set('b', 99)
  clock.advance(10_000)
  assert.deepEqual(told, ['100: b due', '104: a due'])
})

test('a key may be moved or removed while it is near', () => {
  const { clock, timers, told } = timersAt(100)
  timers.set('a', 110)
  timers.set('b', 110)
  clock.advance(6_000)
  timers.set('a', 130)
  timers.remove('b')
  clock.advance(30_000)
  assert.deepEqual(told, ['105: a b near', '125: a near', '130: a due'])
})
