import assert from 'node:assert/strict'
import { test } from 'node:test'
import { partOf } from './fault-plan.ts'

const extentOf = (size: number, random: number): string => {
  const part = partOf(size, random)
  return part === 0 ? 'nothing' : part === size ? 'all' : 'some'
}

test('a short write and a long one are done to the same extent: nothing, some or all', () => {
  for (const [random, extent] of [
    [0, 'nothing'],
    [0.000_9, 'nothing'],
    [0.001, 'some'],
    [0.5, 'some'],
    [0.998_9, 'some'],
    [0.999, 'all'],
    [0.999_99, 'all'],
  ] as const)
    for (const size of [2, 100, 717, 1_747, 1_000_000])
      assert.equal(extentOf(size, random), extent, `${random} of ${size} bytes`)
})

test('a part is never longer than the write', () => {
  for (const size of [0, 1, 2])
    for (const random of [0, 0.5, 0.999_9])
      assert.ok(partOf(size, random) <= size && partOf(size, random) >= 0)
})
