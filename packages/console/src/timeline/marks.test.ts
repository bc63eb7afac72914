import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decide, printInstant } from '@kron/core'
import type { JobRecord, OutcomeRecord, RunningRecord } from '../api/records.ts'
import { jobOf } from '../model/periods.ts'
import { jobRoute } from '../route.ts'
import { marksOf, stepped } from './marks.ts'

const identity = '/a.kron:backup'
const schedule = '0 * * * * @win(after,30m)'
const now = Date.UTC(2030, 0, 2, 2, 45) / 1_000
const nominal = now + 900
const { chosen } = decide(jobOf(identity, schedule)!, nominal)
const marks = marksOf(
  {
    job: { identity, schedule, suspended: false } as JobRecord,
    outcomes: [
      { identity, runId: 'r1', periodId: 'p1', startedAt: printInstant(now - 600), outcome: 'executed' },
      { identity, runId: null, periodId: 'p0', chosenTime: printInstant(now - 3_000), outcome: 'missed' },
    ] as Partial<OutcomeRecord>[] as OutcomeRecord[],
    running: [
      { identity, startedAt: printInstant(now - 60), executionId: 'r2' },
    ] as Partial<RunningRecord>[] as RunningRecord[],
    now,
  },
  now - 7_200,
  now + 3_600,
)

test('outcomes, runs and planned starts are marks in the order of time, each with its page', () => {
  assert.deepEqual(marks, [
    { at: now - 3_000, href: jobRoute(identity, { why: 'p0' }) },
    { at: now - 600, href: jobRoute(identity, { run: 'r1' }) },
    { at: now - 60, href: jobRoute(identity, { run: 'r2' }) },
    { at: chosen, href: jobRoute(identity, { why: printInstant(nominal) }) },
  ])
})

test('one steps from mark to mark, and stays at the ends', () => {
  assert.equal(stepped(marks, now, 1)?.at, chosen)
  assert.equal(stepped(marks, now, -1)?.at, now - 60)
  assert.equal(stepped(marks, now - 60, -1)?.at, now - 600)
  assert.equal(stepped(marks, chosen!, 1), undefined)
})
