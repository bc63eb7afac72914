import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DeferredKeys } from './deferred-keys.ts'

test('the key whose timer comes first goes first, whenever it was added', () => {
  const keys = new DeferredKeys()
  keys.add('never', Number.POSITIVE_INFINITY)
  keys.add('third', 30)
  keys.add('second', 20)
  assert.equal(keys.take(), 'second')
  keys.add('first', 10)
  assert.equal(keys.size, 3)
  assert.deepEqual(
    [keys.take(), keys.take(), keys.take(), keys.take()],
    ['first', 'third', 'never', undefined],
  )
})

test('of keys with equal times, the one that waits longest goes first', () => {
  const keys = new DeferredKeys()
  const due = Number.POSITIVE_INFINITY
  for (const key of ['a', 'b', 'c']) keys.add(key, due)
  const first = keys.take()
  keys.add('d', due)
  assert.deepEqual([first, keys.take(), keys.take(), keys.take()], ['a', 'b', 'c', 'd'])
})
