import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Later } from './later.ts'

test('the key whose timer comes first goes first, whenever it was added', () => {
  const later = new Later()
  later.add('never', Number.POSITIVE_INFINITY)
  later.add('third', 30)
  later.add('second', 20)
  assert.equal(later.take(), 'second')
  later.add('first', 10)
  assert.equal(later.size, 3)
  assert.deepEqual(
    [later.take(), later.take(), later.take(), later.take()],
    ['first', 'third', 'never', undefined],
  )
})

test('of keys with equal times, the one that waits longest goes first', () => {
  const later = new Later()
  const due = Number.POSITIVE_INFINITY
  for (const key of ['a', 'b', 'c']) later.add(key, due)
  const first = later.take()
  later.add('d', due)
  assert.deepEqual([first, later.take(), later.take(), later.take()], ['a', 'b', 'c', 'd'])
})
