import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseRegistrations } from '../registration/parse.ts'
import { newTasksChange } from './new-tasks.ts'
import { RecordTable } from './record-table.ts'

const AT = Date.parse('2026-06-10T12:30:00Z')
const run = () => {}
const list = parseRegistrations(
  [
    ['a', '0 * * * *', run, 60_000],
    ['b', '5 * * * *', run, 0],
    ['c', '0 * * * *', run, { delay: '5m', limit: 3 }],
  ],
  AT,
)
const change = () => newTasksChange({ list, firstSeenAt: AT })
const records = [
  { name: 'a', cronExpression: '0 * * * *', retryDelayMs: 60_000, firstSeenAt: AT },
  { name: 'b', cronExpression: '5 * * * *', retryDelayMs: 0, firstSeenAt: AT },
  { name: 'c', cronExpression: '0 * * * *', retryDelayMs: 300_000, firstSeenAt: AT },
]

function stored(given: RecordTable): unknown[] {
  return [...given].sort((one, other) => (one.name < other.name ? -1 : 1))
}

test('a store reads the records of new tasks, and may copy, clone or print the change', () => {
  assert.deepEqual(change().put, records)
  assert.deepEqual(change().remove, [])
  for (const copy of [{ ...change() }, structuredClone(change()), JSON.parse(JSON.stringify(change()))])
    assert.deepEqual(copy, { put: records, remove: [] })
})

test('a table takes new tasks by columns or by records with the same result', () => {
  for (const each of [change(), { ...change() }]) {
    const table = new RecordTable()
    table.apply(each)
    assert.deepEqual(stored(table), records)
    table.apply({ put: [{ ...records[1]!, lastAttemptAt: AT }], remove: ['a'] })
    table.put({ ...records[0]!, name: 'd' })
    const later = [{ ...records[1], lastAttemptAt: AT }, records[2], { ...records[0], name: 'd' }]
    assert.deepEqual(stored(table), later)
  }
})

test('a table that lost all its tasks forgets them when it takes new ones', () => {
  const table = new RecordTable()
  const old = ['w', 'x', 'y', 'z'].map(name => ({ ...records[0]!, name, lastAttemptAt: 1, runningBy: 'me' }))
  table.apply({ put: old, remove: [] })
  table.apply({ put: [], remove: old.map(({ name }) => name) })
  table.apply(change())
  table.put({ ...records[0]!, name: 'd' })
  assert.deepEqual(stored(table), [...records, { ...records[0], name: 'd' }])
})

test('a table with tasks keeps them beside new ones', () => {
  const table = new RecordTable()
  const other = { ...records[0]!, name: 'other' }
  table.put(other)
  table.apply(change())
  assert.deepEqual(stored(table), [...records, other])
})

test('a change that a store altered is taken as altered', () => {
  const table = new RecordTable()
  const whole = change()
  table.apply({ ...whole, put: whole.put.slice(1) })
  assert.deepEqual(stored(table), records.slice(1))
})
