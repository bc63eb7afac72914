import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Blocks } from './blocks.ts'

const failure = { reason: 'QuotaExceeded', message: 'full', certain: true } as const

test('the pauses grow from a second to five minutes', () => {
  const blocks = new Blocks(() => 1)
  const pauses = Array.from({ length: 12 }, () => blocks.add('a', failure, 100).until - 100)
  assert.deepEqual(pauses, [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300, 300])
})

test('a dry run that passes lifts a block, but the next failure goes on where the pauses were', () => {
  const blocks = new Blocks(() => 1)
  for (let tries = 0; tries < 4; tries++) blocks.add('a', failure, 100)
  blocks.lift('a')
  assert.deepEqual([blocks.of('a'), blocks.size], [undefined, 0])
  assert.equal(blocks.add('a', failure, 100).until, 116)
  blocks.end('a')
  assert.equal(blocks.add('a', failure, 100).until, 101)
})

test('blocks of different KronJobs have nothing to do with each other', () => {
  const blocks = new Blocks(() => 1)
  blocks.add('a', failure, 100)
  assert.equal(blocks.of('b'), undefined)
  assert.equal(blocks.add('b', failure, 100).failures, 1)
})
