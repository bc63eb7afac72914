import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readPage, readRecord, withFigures } from './run.ts'

test('the figures of docs/reliability.md are those of the records', () => {
  const isUpToDate = readPage() === withFigures(readPage(), readRecord)
  assert.ok(isUpToDate, 'verify/reliability has newer figures: npm run verify -- reliability')
})

test('a record that is missing is said to be, and any number of another is shown', () => {
  const page = withFigures(readPage(), name =>
    name === 'torture'
      ? { date: '2026-03-01T02:00:00Z', commit: 'abc', kills: 12_345, faults: { fullDisk: 6 }, runs: [1] }
      : undefined,
  )
  assert.equal(page.match(/No run has been recorded yet/g)?.length, 3)
  assert.match(page, /\| kills \| 12,345 \|\n\| faults \| full disk 6 \|/)
})
