import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addToForecast, emptyForecast, printInstant } from '@kron/core'
import type { JobRecord } from '../api/records.ts'
import { jobsInBucket, type Starts } from './bucket-jobs.ts'
import { jobOf } from './periods.ts'

const SCHEDULES = ['* * * * * @win(after,50s)', '*/5 * * * * @win(around,4m)', '*/2 * * * *', '0 9 * * *']
const jobs = SCHEDULES.map(
  (schedule, i) =>
    ({
      identity: `/a.kron:${i}`,
      name: `${i}`,
      schedule,
      suspended: false,
      pauses: [] as const,
    }) as unknown as JobRecord,
)
const sum = (starts: readonly Starts[]): number => starts.reduce((total, { count }) => total + count, 0)

const from = Date.UTC(2030, 0, 2, 2) / 1_000

test('the jobs that a bar names are those that the forecast counted', () => {
  const forecast = emptyForecast(from, from + 1_200, 10)
  for (const { identity, schedule } of jobs) addToForecast(forecast, jobOf(identity, schedule)!)
  for (const [i, count] of forecast.spread.entries()) {
    const { spread, plain } = jobsInBucket(jobs, from + i * 10, from + (i + 1) * 10)
    assert.equal(sum(spread), count, `bucket ${i}`)
    assert.equal(sum(plain), forecast.plain[i], `bucket ${i} without windows`)
  }
})

test('a bar does not name the jobs that a pause silences', () => {
  const pauses = [{ from: printInstant(from), until: printInstant(from + 600) }]
  const paused = jobs.map(each => ({ ...each, pauses }) as unknown as JobRecord)
  assert.deepEqual(jobsInBucket(paused, from, from + 600), { spread: [], plain: [] })
  assert.ok(sum(jobsInBucket(paused, from + 600, from + 1_200).spread) > 10)
})
