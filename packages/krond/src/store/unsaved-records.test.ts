import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { StateRecord } from '@kron/host'
import { UnsavedRecords } from './unsaved-records.ts'

const recordOf = (identity: string, seq: number): StateRecord => ({
  Identity: identity,
  Seq: seq,
  Event: { kind: 'withdrawn', executionId: `${identity}-${seq}`, at: '2026-03-01T00:00:00Z' },
})

test('a cut takes the durable records, and those that come later stay known', () => {
  const unsaved = new UnsavedRecords()
  const [a1, a2, a3, b1, c1] = [
    recordOf('a', 1),
    recordOf('a', 2),
    recordOf('a', 3),
    recordOf('b', 1),
    recordOf('c', 1),
  ]
  unsaved.add(a1)
  unsaved.add(b1)
  unsaved.addPending(a2)
  const counts = unsaved.durableCounts()
  unsaved.addPending(c1)
  const batches = unsaved.batches(counts, 2)
  const first = batches.next().value!
  assert.deepEqual(first, [
    { identity: 'a', records: [a1, a2], cutOff: 1 },
    { identity: 'b', records: [b1], cutOff: 1 },
  ])
  unsaved.add(a3)
  unsaved.written(first)
  assert.deepEqual([unsaved.of('a'), unsaved.of('b'), unsaved.has('b')], [[a2, a3], [], false])
  const second = batches.next().value!
  assert.deepEqual(second, [{ identity: 'c', records: [c1], cutOff: 0 }])
  unsaved.written(second)
  assert.equal(batches.next().done, true)
  assert.deepEqual(unsaved.all(), [a2, a3, c1])
})

test('a record that comes after the batches have begun is left to the next cut', () => {
  const unsaved = new UnsavedRecords()
  for (const identity of ['a', 'b']) unsaved.add(recordOf(identity, 1))
  const batches = unsaved.batches(unsaved.durableCounts(), 1)
  batches.next()
  unsaved.add(recordOf('b', 2))
  assert.deepEqual(batches.next().value, [{ identity: 'b', records: [recordOf('b', 1)], cutOff: 1 }])
})
