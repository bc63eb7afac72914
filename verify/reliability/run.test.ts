import assert from 'node:assert/strict'
import { test } from 'node:test'
import { filled, PAGES, readPage, readRecord } from './run.ts'

for (const [path, text] of Object.entries(PAGES))
  test(`the figures of docs/${path} are those of the records`, () => {
    const isUpToDate = readPage(path) === filled(readPage(path), text(readRecord))
    assert.ok(isUpToDate, 'verify/reliability has newer figures: npm run verify -- reliability')
  })

const onlyTorture = (name: string) =>
  name === 'torture'
    ? {
        date: '2026-03-01T02:00:00Z',
        commit: 'abc',
        krond: { kills: 12_345, shimKills: 5, executions: 6, duplicates: 1, lost: 2 },
      }
    : undefined

test('a record that is missing is said to be, and the summary adds up every broken promise', () => {
  const text = PAGES['reliability.md']!(onlyTorture)
  assert.equal(text.match(/no run recorded yet/g)?.length, 9)
  assert.match(text, /\| 12,350 kills, 6 runs \| 3 \| abc \|/)
})

test('the page of all figures shows any number of a record', () => {
  const text = PAGES['reliability/figures.md']!(onlyTorture)
  assert.equal(text.match(/No run has been recorded yet/g)?.length, 9)
  assert.match(text, /\| krond \| kills 12,345, shim kills 5, executions 6, duplicates 1, lost 2 \|/)
})
