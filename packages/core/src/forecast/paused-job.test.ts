import assert from 'node:assert/strict'
import { test } from 'node:test'
import { instant, jobOf } from '@kron/testkit/reading'
import { addToForecast, emptyForecast } from './forecast.ts'
import { PausedJob } from './paused-job.ts'

const FROM = instant('2026-03-01T00:00:00Z')
const HOUR = 3_600
const hours = (from: number, until: number | null) => ({
  from: FROM + from * HOUR,
  until: until === null ? null : FROM + until * HOUR,
})

test('a pause costs the periods in it, from its first second to the one before its end', () => {
  const paused = new PausedJob(jobOf('0 * * * *'), [hours(2, 4)])
  const startOf = (hour: number): number | undefined => paused.startOf(FROM + hour * HOUR)
  assert.deepEqual([1, 2, 3, 4].map(startOf), [FROM + HOUR, undefined, undefined, FROM + 4 * HOUR])
})

test('the last period before the end starts at the end, if its deadline allows', () => {
  const job = jobOf('0 * * * * @policy(deadline=3h)')
  const startOf = (until: number, hour: number): number | undefined =>
    new PausedJob(job, [hours(1, until)]).startOf(FROM + hour * HOUR)
  assert.deepEqual(
    [1, 2, 3].map(hour => startOf(3.5, hour)),
    [undefined, undefined, FROM + 3.5 * HOUR],
  )
  const daily = new PausedJob(jobOf('0 1 * * * @policy(deadline=3h)'), [hours(0, 5)])
  assert.equal(daily.startOf(FROM + HOUR), undefined)
})

test('pauses that touch or overlap are one, and a pause without an end costs everything after', () => {
  const job = jobOf('0 * * * * @policy(deadline=30m)')
  const paused = new PausedJob(job, [hours(1, 2), hours(2, 2.25), hours(5, null)])
  assert.equal(paused.resumedAt(FROM + HOUR), FROM + 2.25 * HOUR)
  assert.equal(paused.startOf(FROM + HOUR), undefined)
  assert.equal(paused.startOf(FROM + 2 * HOUR), FROM + 2.25 * HOUR)
  assert.equal(paused.startOf(FROM + 99 * HOUR), undefined)
})

test('a forecast leaves out the starts that pauses cost, and counts a late one at the end of the pause', () => {
  const forecast = emptyForecast(FROM, FROM + 6 * HOUR, HOUR)
  const job = jobOf('0 * * * * @policy(deadline=1h)')
  const starts: number[] = []
  const lost = addToForecast(forecast, job, { pauses: [hours(1, 3.5)], onStart: at => starts.push(at) })
  assert.equal(lost, 2)
  assert.deepEqual([...forecast.spread], [1, 0, 0, 1, 1, 1])
  assert.deepEqual([...forecast.plain], [1, 0, 0, 0, 1, 1])
  assert.ok(starts.includes(FROM + 3.5 * HOUR))
})

test('a pause that began before the forecast puts an earlier period off into it', () => {
  const forecast = emptyForecast(FROM, FROM + HOUR, HOUR)
  const job = jobOf('30 23 * * * @policy(deadline=2h)')
  assert.equal(addToForecast(forecast, job, { pauses: [hours(-2, 0.5)] }), 0)
  assert.deepEqual([...forecast.spread], [1])
})
