import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CAMPAIGNS, filled, PAGES, readPage, readRecord } from './run.ts'

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
  assert.equal(text.match(/no run recorded yet/g)?.length, CAMPAIGNS.length - 1)
  assert.match(text, /\| 12,350 kills, 6 runs \| 3 \| abc \|/)
})

test('the page of all figures shows any number of a record', () => {
  const text = PAGES['reliability/figures.md']!(onlyTorture)
  assert.equal(text.match(/No run has been recorded yet/g)?.length, CAMPAIGNS.length - 1)
  assert.match(text, /\| krond \| kills 12,345, shim kills 5, executions 6, duplicates 1, lost 2 \|/)
})

const onlyLogReader = (name: string) =>
  name === 'log-reader'
    ? {
        date: '2026-03-01T02:00:00Z',
        commit: 'abc',
        note: 'A note about this run.',
        slow: { starts: 100, missed: 0, twice: 2, problems: 1 },
        'control: blocks': { starts: 8, missed: 92, twice: 0, problems: 0 },
      }
    : undefined

test('starts of daemons that are late on purpose do not count, and each broken promise counts once', () => {
  assert.match(PAGES['reliability.md']!(onlyLogReader), /\| Log readers \| 100 starts \| 3 \| abc \|/)
})

test('a record that is written anew each time is called so, with its note', () => {
  const text = PAGES['reliability/figures.md']!(onlyLogReader)
  assert.match(text, /commit abc\.\n\nA note about this run\.\n\n\| \| the last recorded run \|/)
})
