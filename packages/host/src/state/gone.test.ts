import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { test } from 'node:test'
import { advance } from './advance.ts'
import { goneJobs, keptBecause } from './gone.ts'
import type { State } from './state.ts'

const SEEN = {
  kind: 'seen',
  firstSeen: '2026-03-01T00:00:00Z',
  handled: { HandledThrough: '2026-03-01T00:00:00Z', HandledPeriods: [] },
} as const
const STATE: State = advance(undefined, 'a', SEEN)
const DAY = 86_400
const NOW = Date.parse('2026-03-10T00:00:00Z') / 1_000

test('a job is gone if its file does not exist or does not name it; not if its file is broken or a crontab', t => {
  const directory = mkdtempSync(`${tmpdir()}/kron-gone-`)
  t.after(() => rmSync(directory, { recursive: true }))
  writeFileSync(`${directory}/sound.kron`, '@daily name=there command=/bin/true\n')
  writeFileSync(`${directory}/broken.kron`, '@daily name=there command=/bin/true\nnonsense\n')
  writeFileSync(`${directory}/crontab`, '')
  const isGone = goneJobs()
  const answers = [
    'sound.kron:there',
    'sound.kron:other',
    'broken.kron:other',
    'absent.kron:there',
    'crontab:x',
  ]
  assert.deepEqual(
    answers.map(each => isGone(`${directory}/${each}`)),
    [false, true, false, true, false],
  )
})

test('a state is kept while a period of it could run again, or a run goes on', () => {
  const until = '2026-03-09T00:00:00Z'
  assert.equal(keptBecause(STATE, NOW), undefined)
  assert.equal(keptBecause({ ...STATE, KeepUntil: until }, NOW), undefined)
  assert.deepEqual(keptBecause({ ...STATE, KeepUntil: until }, NOW - 2 * DAY), { why: 'open', until })
  const old = { ...STATE, LastHandledPeriodID: '2026-03-01T00:00:00Z' }
  assert.deepEqual(keptBecause(old, NOW), { why: 'open', until: '2026-04-01T00:00:00Z' })
  assert.equal(keptBecause(old, NOW + 40 * DAY), undefined)
  const execution = { PeriodID: until, PID: 0, StartedAt: '', ChosenTime: until, ExecutionID: 'e' }
  const running = { ...execution, BootID: '', BootTime: 0, ProcessStart: 0 }
  assert.deepEqual(keptBecause({ ...STATE, ActiveExecution: running }, NOW), { why: 'running' })
})
