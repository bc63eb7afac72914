import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { test } from 'node:test'
import { ARCHIVE } from './archive.ts'
import { CAMPAIGNS } from './campaigns.ts'
import { filled, PAGES, PICTURES, RECORDS, readFileOfDocs, readRecord } from './run.ts'

const HINT = 'verify/reliability has newer figures: npm run verify -- reliability'

for (const [path, text] of Object.entries(PAGES))
  test(`the figures of docs/${path} are those of the records`, () => {
    assert.ok(readFileOfDocs(path) === filled(readFileOfDocs(path), text(readRecord)), HINT)
  })

for (const [path, draw] of Object.entries(PICTURES))
  test(`docs/${path} shows the figures of the records`, () => {
    assert.ok(readFileOfDocs(path) === draw(readRecord), HINT)
  })

test('every record has a section, and every section of the archive a record', () => {
  const names = readdirSync(import.meta.dirname).filter(each => each.endsWith('.json'))
  assert.deepEqual(names.sort(), RECORDS.map(([name]) => `${name}.json`).sort())
  const archived = readdirSync(`${import.meta.dirname}/archive`)
  assert.deepEqual(archived.sort(), ARCHIVE.map(([name]) => `${name}.json`).sort())
})

const onlyTorture = (name: string) =>
  name === 'torture'
    ? {
        date: '2026-03-01T02:00:00Z',
        commit: 'abc',
        commits: { krond: ['abc', 'def'] },
        krond: { kills: 12_345, shimKills: 5, executions: 6, duplicates: 1, lost: 2 },
      }
    : undefined

test('a campaign without a record is said to have none, and the summary adds up every broken promise', () => {
  const text = PAGES['reliability.md']!(onlyTorture)
  assert.equal(text.match(/no run recorded yet/g)?.length, CAMPAIGNS.length - 1)
  assert.match(text, /\| 12,350 kills, 6 runs \| 10,000 \| 3 \| abc, def \|/)
})

test('the page of all figures shows any number of a record', () => {
  const text = PAGES['reliability/figures.md']!(onlyTorture)
  assert.equal(text.match(/No run has been recorded yet/g)?.length, RECORDS.length - 1)
  assert.match(text, /\| krond \| kills 12,345, shim kills 5, executions 6, duplicates 1, lost 2 \|/)
})

const onlySimulation = (name: string) =>
  name === 'simulation'
    ? {
        runs: [
          { part: 'krond', commit: 'a', years: 200, crashes: 7, executions: 3, violations: 1 },
          { part: 'scheduler', commit: 'b', years: 9, crashes: 9, executions: 9 },
          { part: 'krond', commit: 'a', years: 100, crashes: 3, executions: 2, duplicates: 1 },
        ],
      }
    : undefined

test('the summary tells the simulations of krond and of the scheduler apart', () => {
  const text = PAGES['reliability.md']!(onlySimulation)
  assert.match(text, /krond \| 300 years, 10 crashes, 5 runs \| 10,000, 1,000,000 \| 2 \| a \|/)
  assert.match(text, /scheduler \| 9 years, 9 crashes, 9 runs \| 5,000 \| 0 \| b \|/)
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
  assert.match(PAGES['reliability.md']!(onlyLogReader), /\| Log readers \| 100 starts \| \| 3 \| abc \|/)
})

test('a record that is written anew each time is called so, with its note', () => {
  const text = PAGES['reliability/figures.md']!(onlyLogReader)
  assert.match(text, /commit abc\.\n\nA note about this run\.\n\n\| \| the last recorded run \|/)
})

const figuresOf = (name: string, record: object) =>
  PAGES['reliability.md']!(each => (each === name ? { ...record } : undefined))

test('every commit of a record is listed, not the last one alone', () => {
  const last = { date: '2026-03-01T02:00:00Z', commit: 'new' }
  const damage = {
    state: { flips: 8 },
    journal: { flips: 4 },
    ...last,
    commits: { state: ['old', 'new'], journal: ['new'] },
  }
  assert.match(figuresOf('damage', damage), /\| 12 flipped bits \| \| 0 \| old, new \|/)
  const target = { executions: 5, crashes: 0, hangs: 0 }
  const targets = { cron: { ...target, commits: ['old'] }, ics: { ...target, commits: ['old', 'new'] } }
  assert.match(
    figuresOf('fuzz', { ...last, targets }),
    /\| 10 inputs, 2 parsers \| 100,000,000 \| 0 \| old, new \|/,
  )
  const file = { mutants: 3, noticed: 3, justified: 0, open: [] }
  const files = { 'a.ts': { ...file, commit: 'new' }, 'b.ts': { ...file, commit: 'old' } }
  assert.match(figuresOf('mutation', { ...last, files }), /\| 0 unnoticed \| new, old \|/)
})

test('of the mutation check, each file has the commit of its last check', () => {
  const { findings } = CAMPAIGNS.find(({ record }) => record === 'mutation')!
  const file = { mutants: 3, noticed: 3, justified: 0, open: [] }
  const files = { 'a.ts': { ...file, commit: 'new' }, 'b.ts': { ...file, commit: 'old' } }
  assert.deepEqual(findings({ files })?.commitOf, { 'a.ts': 'new', 'b.ts': 'old' })
})

test('no campaign has figures without a commit', () => {
  for (const { title, record, findings } of CAMPAIGNS) {
    const { commits } = findings(readRecord(record)!)!
    assert.ok(commits.length > 0, title)
    for (const commit of commits) assert.match(commit, /^[0-9a-f]{7,}\+?$/, title)
  }
})
