import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decide, explain, explanationRecordOf, next } from '@kron/core'
import { densityOf } from './density.ts'
import { jobOf, periodsIn } from './periods.ts'
import { verify } from './verification.ts'

const SCHEDULE = '*/7 * * * * @tz(Europe/Paris) @win(around,20m) @dist(normal) @avoid(hours=3)'
const job = jobOf('/jobs.kron:bell', SCHEDULE)!
const from = Date.parse('2026-03-29T00:00:00Z') / 1_000

test('exactly the periods whose window touches the time on show are found', () => {
  const to = from + 7_200
  const found = periodsIn(job, from, to, 1_000).map(each => each.nominal)
  const expected: number[] = []
  let nominal = next(job.schedule.cron, job.schedule.zone, from - 86_400)
  while (nominal !== undefined && nominal < to + 86_400) {
    const { windowStart, windowEnd } = decide(job, nominal)
    if (windowEnd >= from && windowStart <= to) expected.push(nominal)
    nominal = next(job.schedule.cron, job.schedule.zone, nominal)
  }
  assert.deepEqual(found, expected)
})

test('a schedule that this engine cannot read has no job', () => {
  assert.equal(jobOf('x', 'sometimes'), undefined)
})

test('the densest part of a window counts as one, and the shape is the distribution', () => {
  const bell = densityOf(job.schedule, 21)
  assert.equal(Math.max(...bell), 1)
  assert.equal(bell.indexOf(1), 10)
  const even = densityOf(jobOf('x', '0 * * * * @win(after,1h)')!.schedule, 10)
  assert.ok(even.every(share => Math.abs(share - 1) < 1e-9))
  assert.deepEqual(densityOf(jobOf('x', '0 * * * *')!.schedule, 10), [1])
})

test('the own computation agrees with a true answer, and names what a false one has wrong', () => {
  const nominal = next(job.schedule.cron, job.schedule.zone, from)!
  const answer = explanationRecordOf(explain(job, nominal))
  assert.deepEqual(verify(answer, SCHEDULE), { kind: 'same' })
  const wrong = { ...answer, chosenTime: '2026-03-29T00:00:01Z', salt: 'x' }
  assert.deepEqual(verify(wrong, SCHEDULE), { kind: 'differs', fields: ['chosenTime', 'salt'] })
  assert.deepEqual(verify(answer, 'gibberish'), { kind: 'unreadable' })
})
