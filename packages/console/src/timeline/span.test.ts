import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rangeOf, SPANS, spanIndex } from './span.ts'

test('a first visit shows all the history there is, as near as possible, up to a day', () => {
  const name = (historySeconds: number): string => SPANS[spanIndex(undefined, historySeconds)]!.name
  assert.deepEqual([0, 60, 451, 1_801, 40_000, 900_000].map(name), ['15m', '15m', '1h', '3h', '1d', '1d'])
})

test('a span that was asked for is kept, whatever the history', () => {
  assert.equal(SPANS[spanIndex('7d', 60)]!.name, '7d')
  assert.equal(SPANS[spanIndex('nonsense', 60)]!.name, '15m')
})

test('half of the time on show is past, unless another time was asked for', () => {
  assert.deepEqual(rangeOf(1, 10_000, undefined), { from: 8_200, to: 11_800 })
  assert.deepEqual(rangeOf(1, 10_000, 5), { from: 5, to: 3_605 })
})
