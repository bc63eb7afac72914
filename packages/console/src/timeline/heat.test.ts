import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TimeScale } from '../model/time-scale.ts'
import { CELL, heatOf, isCrowded } from './heat.ts'

const scale: TimeScale = { from: 0, to: 6_000, width: 600 }

test('periods closer than four pixels are drawn as heat', () => {
  const every = (seconds: number): number[] => Array.from({ length: 6_000 / seconds }, (_, i) => i * seconds)
  assert.ok(!isCrowded(scale, every(60)))
  assert.ok(!isCrowded(scale, every(40)))
  assert.ok(isCrowded(scale, every(30)))
})

test('a cell tells how full it is and how much of it is trouble', () => {
  const cells = heatOf(
    scale,
    [1, 2, 3, 100],
    [
      { from: 1, to: 5, kind: 'succeeded' },
      { from: 2, to: 2, kind: 'missed' },
      { from: 3, to: 9, kind: 'replaced' },
    ],
  )
  assert.deepEqual(cells, [
    { x: 0, density: 1, known: 3, successes: 1, troubles: 1 },
    { x: CELL, density: 1 / 3, known: 0, successes: 0, troubles: 0 },
  ])
})

test('starts beside the picture do not count', () => {
  assert.deepEqual(heatOf(scale, [-100, 7_000], []), [])
})
