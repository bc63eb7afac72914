import assert from 'node:assert/strict'
import { test } from 'node:test'
import { instant, jobOf } from '@kron/testkit/reading'
import fc from 'fast-check'
import { addToForecast, emptyForecast, loadOf } from '../forecast/forecast.ts'
import { type Balanceable, balance, baseOf, leastPeak } from './balance.ts'

const FROM = instant('2026-03-01T00:00:00Z')
const SPAN = { from: FROM, to: FROM + 86_400, bucket: 300 }
const alone = (written: string): string[] => [written]
const jobsOf = (texts: readonly string[]): Balanceable[] =>
  texts.map((text, i) => {
    const job = jobOf(text, `/etc/krond.d/a.kron:job${i}`)
    return { job, written: job.schedule.seed.salt, base: baseOf(job.schedule.seed.salt) }
  })
const rewritten = (jobs: readonly Balanceable[], salts: readonly string[]): Balanceable[] =>
  jobs.map((each, i) => ({ ...each, written: salts[i]!, base: baseOf(salts[i]!) }))
const peakOf = (counts: Uint32Array): number => loadOf(counts).peak

test('jobs in one window are spread evenly, one bucket each', () => {
  const jobs = jobsOf(Array.from({ length: 24 }, () => '0 2 * * * @win(after,2h)'))
  const { before, after } = balance(jobs, alone, SPAN)
  assert.ok(peakOf(before) >= 2)
  assert.equal(peakOf(after), 1)
})

test('the load after it is the load that a forecast with the new salts shows', () => {
  const jobs = jobsOf(
    Array.from({ length: 40 }, (_, i) => `${i} 2 * * * @win(around,3h) @seed(daily,salt=s${i})`),
  )
  const { after, salts } = balance(jobs, alone, SPAN)
  const forecast = emptyForecast(SPAN.from, SPAN.to, SPAN.bucket)
  for (const [i, { job }] of jobs.entries()) {
    const seed = { ...job.schedule.seed, salt: salts[i]! }
    addToForecast(forecast, { ...job, schedule: { ...job.schedule, seed } })
  }
  assert.deepEqual(after, forecast.spread)
})

const someText = fc.constantFrom(
  '0 2 * * * @win(after,2h)',
  '*/20 * * * * @win(after,10m)',
  '0 * * * * @win(around,30m) @dist(normal)',
  '30 4 * * *',
  '0 2 * * * @win(after,2h) @seed(stable,salt=blue)',
  '0 2 * * * @win(after,2h) @policy(suspend=true)',
  '0 2 * * * @win(after,2h) @only(hours=3)',
  '0 2 * * * @win(after,2h) @only(hours=9)',
)

test('the peak never rises, is below its bound only with fewer starts, and a second run changes nothing', () => {
  fc.assert(
    fc.property(fc.array(someText, { maxLength: 12 }), texts => {
      const jobs = jobsOf(texts)
      const first = balance(jobs, alone, { ...SPAN, to: FROM + 6 * 3_600 })
      assert.ok(peakOf(first.after) <= peakOf(first.before))
      assert.ok(
        peakOf(first.after) >= leastPeak(first) || loadOf(first.after).total < loadOf(first.before).total,
      )
      for (const [i, salt] of first.salts.entries()) assert.equal(baseOf(salt), jobs[i]!.base)
      const second = balance(rewritten(jobs, first.salts), alone, { ...SPAN, to: FROM + 6 * 3_600 })
      assert.deepEqual(second.salts, first.salts)
      assert.deepEqual(second.after, first.after)
    }),
    { numRuns: 25, seed: 1 },
  )
})

test('jobs without a window keep their salts, and their peak bounds what can be reached', () => {
  const jobs = jobsOf(['0 3 * * *', '0 3 * * * @seed(stable,salt=x)', '0 3 * * * @win(after,1h)'])
  const result = balance(jobs, alone, SPAN)
  assert.equal(leastPeak(result), 2)
  assert.deepEqual(result.salts.slice(0, 2), ['', 'x'])
})

test('a fleet is balanced as one', () => {
  const hosts = Array.from({ length: 20 }, (_, i) => `web${i}`)
  const expand = (written: string): string[] => hosts.map(host => written.replace('%H', host))
  const jobs = jobsOf(Array.from({ length: 3 }, () => '0 2 * * * @win(after,2h)')).map(each => ({
    ...each,
    base: '%H',
  }))
  const { before, after, salts } = balance(jobs, expand, SPAN)
  assert.equal(peakOf(before) % 20, 0)
  assert.ok(peakOf(after) <= 6, `${peakOf(after)} of ${peakOf(before)}`)
  for (const salt of salts) assert.match(salt, /^%H(~\d+)?$/)
})

test('the mark of an earlier balance is no part of the base', () => {
  assert.deepEqual(['a~3', '~12', 'a~b', 'a~12345', '%H'].map(baseOf), ['a', '', 'a~b', 'a~12345', '%H'])
})
