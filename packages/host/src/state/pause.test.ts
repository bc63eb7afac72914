import assert from 'node:assert/strict'
import { test } from 'node:test'
import { IncompatibleStateError } from '@kron/core'
import { type Pause, parsePauses, pauseAt, printPauses } from './pause.ts'

const pause = (id: string, identity: string | null, from: number, until: number | null): Pause => ({
  ...{ id, identity, from, until, reason: 'a move', user: 'ada', at: 1 },
})

test('a pause holds from its first second to the last one before its end, for its job or for all', () => {
  const pauses = [pause('a', 'job', 10, 20), pause('b', null, 15, 30), pause('c', 'other', 0, null)]
  const idAt = (second: number): string | undefined => pauseAt(pauses, 'job', second)?.id
  assert.deepEqual([9, 10, 14, 15, 29, 30].map(idAt), [undefined, 'a', 'a', 'b', 'b', undefined])
  assert.equal(pauseAt(pauses, 'other', 1e9)?.id, 'c')
})

test('pauses are read as they were written, and a damaged file is refused', () => {
  const pauses = [pause('a', 'job', 10, 20), pause('b', null, 15, null)]
  const text = printPauses(pauses)
  assert.deepEqual(parsePauses(text), pauses)
  for (const bad of [
    '',
    '{}',
    '[]',
    'null',
    text.replace('"job"', '"jab"'),
    text.replace('"version": 1', '"version": 2'),
  ])
    assert.throws(() => parsePauses(bad), IncompatibleStateError, bad)
})
