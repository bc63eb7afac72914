import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JobRecord } from '../api/records.ts'
import { COLUMNS, ordered, parseOrder, printOrder } from './job-order.ts'
import { World } from './world.ts'

const make = (name: string, runs: number, succeeded: number, ...durationsMs: number[]): JobRecord => ({
  identity: `/a.kron:${name}`,
  name,
  schedule: '0 2 * * *',
  timezone: 'UTC',
  description: '',
  suspended: false,
  pause: null,
  pauses: [],
  nextTime: null,
  running: 0,
  last:
    runs === 0
      ? null
      : {
          kind: succeeded === runs ? 'succeeded' : 'failed',
          outcome: 'executed',
          failed: succeeded < runs,
          at: `2030-01-01T00:00:0${runs}Z`,
        },
  recent: runs === 0 ? null : { runs, succeeded, durationsMs },
})
const JOBS = [make('a', 2, 2, 400), make('b', 0, 0), make('c', 4, 1, 90, 10), make('d', 3, 3, 2_000)]
const by = (text: string): string =>
  ordered(new World(), JOBS, parseOrder(text))
    .map(job => job.name)
    .join('')

test('the order is in the address, and nonsense means by name', () => {
  for (const column of COLUMNS)
    for (const descending of [false, true])
      assert.deepEqual(parseOrder(printOrder({ column, descending })), { column, descending })
  assert.deepEqual(parseOrder('nonsense'), { column: 'name', descending: false })
  assert.deepEqual(parseOrder(undefined), { column: 'name', descending: false })
})

test('trouble, the latest run and the longest run come first', () => {
  assert.equal(by('state'), 'cadb')
  assert.equal(by('last'), 'cdab')
  assert.equal(by('duration'), 'dacb')
  assert.equal(by('success'), 'cadb')
  assert.equal(by('-name'), 'dcba')
})

test('a job without a value comes last either way', () => {
  assert.equal(by('-success').at(-1), 'b')
  assert.equal(by('success').at(-1), 'b')
})
