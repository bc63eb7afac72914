import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decide } from '@kron/core'
import { usageRecord } from '@kron/host'
import type { JobRecord, OutcomeRecord, PauseRecord, RunningRecord } from '../api/records.ts'
import { jobOf } from '../model/periods.ts'
import { hitAt } from './hit.ts'

const job = {
  identity: '/etc/krond.d/a.kron:backup',
  name: 'backup',
  schedule: '0 2 * * * @win(after,1h)',
  suspended: false,
  pauses: [] as const,
} as unknown as JobRecord
const nominal = Date.UTC(2030, 0, 2, 2) / 1_000
const chosenOf = (at: number): number => decide(jobOf(job.identity, job.schedule)!, at).chosen!
const chosen = chosenOf(nominal)
const text = (seconds: number): string => new Date(seconds * 1_000).toISOString().replace('.000', '')
const outcome: OutcomeRecord = {
  identity: job.identity,
  runId: 'r1',
  trigger: 'schedule',
  by: null,
  kind: 'failed',
  durationMs: 60_000,
  ...usageRecord({}),
  periodId: text(nominal),
  outcome: 'executed',
  reason: '',
  nominalTime: text(nominal),
  chosenTime: text(chosen),
  startedAt: text(chosen + 2),
  completedAt: text(chosen + 62),
  exitCode: 1,
  signal: null,
}
const nothing = { job, outcomes: [], running: [], now: nominal - 3_600 }
const factsAt = (facts: Partial<Parameters<typeof hitAt>[0]>, at: number): Record<string, string> =>
  Object.fromEntries(hitAt({ ...nothing, ...facts }, at, 5, 'UTC')?.facts ?? [])

test('an execution tells its nominal time, window and chosen time from its definition alone', () => {
  const facts = factsAt({ outcomes: [outcome] }, chosen + 30)
  assert.deepEqual(Object.keys(facts), [
    ...['failed', 'started', 'lateness', 'ran for', 'nominal', 'window', 'chosen'],
  ])
  assert.equal(facts['failed'], 'exit code 1')
  assert.equal(facts['lateness'], '2s')
  assert.equal(facts['ran for'], '1m')
  assert.equal(facts['window'], '02:00:00 – 03:00:00 (1h)')
})

test('an execution of an earlier definition is told as it was recorded', () => {
  const facts = factsAt({ outcomes: [{ ...outcome, chosenTime: text(chosen + 1) }] }, chosen)
  assert.equal(facts['window'], 'of an earlier definition')
  assert.match(facts['nominal']!, /02:00:00$/)
})

test('where two executions are close, the nearer one is told', () => {
  const other = { ...outcome, exitCode: 7, startedAt: text(chosen + 12), completedAt: text(chosen + 13) }
  assert.equal(factsAt({ outcomes: [outcome, other] }, chosen + 11)['failed'], 'exit code 7')
  assert.equal(factsAt({ outcomes: [outcome, other] }, chosen)['failed'], 'exit code 1')
})

test('a run that was started by hand belongs to no period', () => {
  const manual: OutcomeRecord = {
    ...outcome,
    trigger: 'manual',
    periodId: null,
    nominalTime: null,
    chosenTime: null,
  }
  assert.equal(factsAt({ outcomes: [manual] }, chosen + 3)['period'], 'none: started by hand')
})

test('a running execution is told with its period, the next period without it', () => {
  const running: RunningRecord[] = [
    {
      job: job.name,
      identity: job.identity,
      trigger: 'schedule',
      by: null,
      periodId: text(nominal),
      chosenTime: null,
      startedAt: text(chosen),
      pid: 1,
      executionId: 'x',
      adopted: true,
    },
  ]
  const facts = factsAt({ running }, chosen + 3)
  assert.deepEqual(Object.keys(facts), ['running since', 'nominal', 'window', 'chosen'])
  const planned = factsAt({ running }, chosenOf(nominal + 86_400))
  assert.deepEqual(Object.keys(planned), ['nominal', 'window', 'chosen'])
})

test('a period that has passed without anyone knowing of it says so', () => {
  assert.equal(factsAt({ now: nominal + 86_400 }, chosen)['outcome'], 'none is known')
  assert.equal(factsAt({}, chosen)['outcome'], undefined)
})

test('a job that its file suspends has no periods to tell of', () => {
  assert.deepEqual(
    factsAt({ job: { ...job, schedule: `${job.schedule} @policy(suspend=true)` } }, chosen),
    {},
  )
})

test('a period that a pause costs says so', () => {
  const pause = { from: text(chosen), until: text(chosen + 60) } as PauseRecord
  const paused = { ...job, pauses: [pause] }
  assert.equal(factsAt({ job: paused }, chosen)['start'], 'will not run: paused')
  const patient = { ...paused, schedule: `${job.schedule} @policy(deadline=5m)` }
  assert.equal(factsAt({ job: patient }, chosen)['start'], 'will start late: paused')
})

test('where nothing is, nothing is told', () => {
  assert.equal(hitAt({ ...nothing, outcomes: [outcome] }, nominal - 3_600, 5, 'UTC'), undefined)
})
