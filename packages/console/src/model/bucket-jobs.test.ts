import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addToForecast, emptyForecast } from '@kron/core'
import type { JobRecord } from '../api/records.ts'
import { jobsInBucket, type Starts } from './bucket-jobs.ts'
import { jobOf } from './periods.ts'

const SCHEDULES = ['* * * * * @win(after,50s)', '*/5 * * * * @win(around,4m)', '*/2 * * * *', '0 9 * * *']
const jobs = SCHEDULES.map(
  (schedule, i) => ({ identity: `/a.kron:${i}`, name: `${i}`, schedule, suspended: false }) as JobRecord,
)
const sum = (starts: readonly Starts[]): number => starts.reduce((total, { count }) => total + count, 0)

test('the jobs that a bar names are those that the forecast counted', () => {
  const from = Date.UTC(2030, 0, 2, 2) / 1_000
  const forecast = emptyForecast(from, from + 1_200, 10)
  for (const { identity, schedule } of jobs) addToForecast(forecast, jobOf(identity, schedule)!)
  for (const [i, count] of forecast.spread.entries()) {
    const { spread, plain } = jobsInBucket(jobs, from + i * 10, from + (i + 1) * 10)
    assert.equal(sum(spread), count, `bucket ${i}`)
    assert.equal(sum(plain), forecast.plain[i], `bucket ${i} without windows`)
  }
})
