import assert from 'node:assert/strict'
import { test } from 'node:test'
import { instant, jobOf } from '@kron/testkit/reading'
import { decide } from '../decision/decision.ts'
import { addToForecast, emptyForecast, loadOf } from './forecast.ts'

const FROM = instant('2026-03-01T00:00:00Z')
const DAY = 86_400

const forecastOf = (...texts: string[]) => {
  const forecast = emptyForecast(FROM, FROM + DAY, 300)
  for (const [i, text] of texts.entries()) addToForecast(forecast, jobOf(text, `job ${i}`))
  return forecast
}
const total = (counts: Uint32Array): number => counts.reduce((sum, n) => sum + n, 0)

test('every start of the day is counted in its bucket, with windows and without', () => {
  const job = jobOf('0 * * * * @win(after,3h)', 'job 0')
  const spread = new Uint32Array(288)
  const plain = new Uint32Array(288)
  for (let nominal = FROM - 3 * 3_600; nominal < FROM + DAY; nominal += 3_600) {
    const chosen = decide(job, nominal).chosen! - FROM
    if (chosen >= 0 && chosen < DAY) spread[Math.floor(chosen / 300)]! += 1
    if (nominal >= FROM) plain[(nominal - FROM) / 300]! += 1
  }
  const forecast = forecastOf('0 * * * * @win(after,3h)')
  assert.deepEqual(forecast.spread, spread)
  assert.deepEqual(forecast.plain, plain)
})

test('a window before or around the nominal time draws starts in from after the end', () => {
  const forecast = forecastOf('0 0 * * * @win(before,20h)')
  assert.deepEqual([total(forecast.spread), total(forecast.plain)], [1, 1])
  assert.equal(forecast.plain[0], 1)
})

test('suspended jobs start nothing, and unschedulable periods only without their window', () => {
  const suspended = forecastOf('* * * * * @policy(suspend=true)')
  assert.deepEqual([total(suspended.spread), total(suspended.plain)], [0, 0])
  const refused = forecastOf('0 0 * * * @win(after,1h) @only(hours=9)')
  assert.deepEqual([total(refused.spread), total(refused.plain)], [0, 1])
})

test('windows flatten the peak', () => {
  const jobs = Array.from({ length: 200 }, () => '0 2 * * * @win(after,4h)')
  const { spread, plain } = forecastOf(...jobs)
  assert.deepEqual(loadOf(plain), { total: 200, peak: 200, peakBucket: 24, mean: 200 / 288, ratio: 288 })
  assert.ok(loadOf(spread).peak < 15)
  assert.equal(loadOf(spread).total, 200)
})

test('a load of nothing has no peak', () => {
  assert.deepEqual(loadOf(new Uint32Array(4)), { total: 0, peak: 0, peakBucket: 0, mean: 0, ratio: 0 })
})

test('a bucket that the end cuts short counts no start at or after the end', () => {
  const half = emptyForecast(FROM, FROM + 90, 60)
  addToForecast(half, jobOf('* * * * * @win(before,5m)'))
  assert.deepEqual([...half.plain], [1, 1])
  const begun = emptyForecast(FROM - 30, FROM + 60, 60)
  addToForecast(begun, jobOf('* * * * * @win(before,5m)'))
  assert.deepEqual([...begun.plain], [1, 0])
})

test('even no time at all has a bucket, and an empty one', () => {
  const forecast = emptyForecast(FROM, FROM, 60)
  addToForecast(forecast, jobOf('* * * * * @win(around,2m)'))
  assert.deepEqual([[...forecast.spread], [...forecast.plain]], [[0], [0]])
})

test('exactly the starts from the beginning until before the end are told', () => {
  const told = (from: number, to: number, text: string): number[] => {
    const starts: number[] = []
    addToForecast(emptyForecast(from, to, 60), jobOf(text), { onStart: at => starts.push(at) })
    return starts
  }
  assert.deepEqual(told(FROM, FROM + 180, '* * * * *'), [FROM, FROM + 60, FROM + 120])
  const [early, late] = told(FROM - 3_600, FROM + 3_600, '0 0 * * * @win(around,2h)')
  assert.equal(late, undefined)
  const around = (from: number, to: number): number =>
    told(early! + from, early! + to, '0 0 * * * @win(around,2h)').length
  assert.deepEqual([around(-9, 0), around(-9, 1), around(0, 9), around(1, 9)], [0, 1, 1, 0])
})

test('the peak of a load may lie in its first bucket or in its last', () => {
  assert.deepEqual(loadOf(Uint32Array.of(5, 1, 3)), {
    total: 9,
    peak: 5,
    peakBucket: 0,
    mean: 3,
    ratio: 5 / 3,
  })
  assert.equal(loadOf(Uint32Array.of(1, 3, 5)).peakBucket, 2)
})
