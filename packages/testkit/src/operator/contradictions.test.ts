import assert from 'node:assert/strict'
import { test } from 'node:test'
import { jobNameOf } from '../../../operator/src/plan/names.ts'
import { contradictionsIn, type Facts } from './contradictions.ts'

const [name, periodId] = ['backup', '2026-03-01T02:00:00Z']
const job = jobNameOf(name, periodId)
const nothing: Facts = { seen: new Map(), granted: new Map(), logged: [], told: [] }
const line = (event: string): Facts['logged'] => [{ event, name, periodId, reason: '' }]

test('one Job that watch, audit log, log and status tell of contradicts nothing', () => {
  const facts = {
    seen: new Map([[job, new Set(['u-1'])]]),
    granted: new Map([[job, 1]]),
    logged: line('executed'),
    told: [{ name, periodId, outcome: 'executed' }],
  }
  assert.deepEqual(contradictionsIn(facts), [])
  assert.deepEqual(contradictionsIn({ ...nothing, logged: line('missed') }), [])
})

test('a second Job is found by the watch, or by the audit log alone', () => {
  const watched = contradictionsIn({ ...nothing, seen: new Map([[job, new Set(['u-1', 'u-2'])]]) })
  assert.deepEqual(watched, [`${job} ran twice: u-1, then u-2`])
  const audited = contradictionsIn({
    ...nothing,
    seen: new Map([[job, new Set(['u-1'])]]),
    granted: new Map([[job, 2]]),
  })
  assert.deepEqual(audited, [`${job} ran twice: u-1, then creation 2 in the audit log`])
})

test('a Job whose period is missed in a log or a status is a contradiction', () => {
  const seen = new Map([[job, new Set(['u-1'])]])
  assert.equal(contradictionsIn({ ...nothing, seen, logged: line('missed') }).length, 1)
  const told = [{ name, periodId, outcome: 'skipped' }]
  assert.equal(contradictionsIn({ ...nothing, seen, told }).length, 1)
  assert.deepEqual(contradictionsIn({ ...nothing, seen, logged: line('unconfirmed') }), [])
})
