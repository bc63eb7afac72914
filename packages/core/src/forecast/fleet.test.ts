import assert from 'node:assert/strict'
import { test } from 'node:test'
import { instant, jobOf } from '@kron/testkit/reading'
import fc from 'fast-check'
import { decide } from '../decision/decision.ts'
import type { Job } from '../schedule/schedule.ts'
import { addFleetToForecast, PeriodOfFleet } from './fleet.ts'
import { addToForecast, emptyForecast } from './forecast.ts'

const NOMINAL = instant('2026-03-01T02:00:00Z')
const withSalt = (job: Job, salt: string): Job => ({
  ...job,
  schedule: { ...job.schedule, seed: { ...job.schedule.seed, salt } },
})

const SCHEDULES = [
  '0 2 * * *',
  '0 2 * * * @win(after,2h)',
  '0 2 * * * @tz(Europe/Paris) @win(around,5h) @dist(normal,sigma=20m) @seed(daily)',
  '0 2 * * * @win(before,1h) @dist(skewLate) @seed(weekly)',
  '0 2 * * * @win(after,2h) @only(between=03:00-03:20)',
  '0 2 * * * @win(after,2h) @only(hours=9)',
  '0 2 * * * @only(hours=9)',
]

test('each salt chooses the second that decide chooses with it', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...SCHEDULES),
      fc.string({ unit: 'binary', maxLength: 90 }),
      fc.array(fc.string({ unit: 'binary', maxLength: 90 }), { minLength: 1, maxLength: 5 }),
      (text, identity, salts) => {
        const job = jobOf(text, identity)
        const period = new PeriodOfFleet(job, NOMINAL)
        for (const salt of salts)
          assert.equal(period.chosen(salt), decide(withSalt(job, salt), NOMINAL).chosen)
      },
    ),
    { numRuns: 2_000, seed: 1 },
  )
})

test('the forecast of a fleet is the sum of the forecasts of its hosts', () => {
  const salts = ['a', 'a', 'b', '', 'web1']
  const jobs = [
    jobOf('17 * * * * @win(after,3h)', 'x'),
    jobOf('0 0 * * * @win(before,20h)', 'y'),
    jobOf('* * * * * @policy(suspend=true)', 'z'),
  ]
  const [from, to] = [NOMINAL, NOMINAL + 86_400]
  const fleet = emptyForecast(from, to, 300)
  const sum = emptyForecast(from, to, 300)
  const starts: [number, number][] = []
  for (const job of jobs) {
    addFleetToForecast(fleet, job, salts, (chosen, index) => starts.push([chosen, index]))
    for (const salt of salts) addToForecast(sum, withSalt(job, salt))
  }
  assert.deepEqual(fleet, sum)
  assert.equal(
    starts.length,
    sum.spread.reduce((total, n) => total + n, 0),
  )
  for (const [index] of salts.entries()) assert.ok(starts.some(([, of]) => of === index))
})

test('one file on 1,000 hosts with a two-hour window starts in more than 900 different seconds', () => {
  const period = new PeriodOfFleet(
    jobOf('0 2 * * * @win(after,2h)', '/etc/krond.d/jobs.kron:backup'),
    NOMINAL,
  )
  const counts = new Map<number, number>()
  for (let i = 0; i < 1_000; i++) {
    const chosen = period.chosen(`web${i}.example.org`)!
    counts.set(chosen, (counts.get(chosen) ?? 0) + 1)
  }
  assert.ok(counts.size >= 900, `${counts.size} different seconds`)
  assert.ok(Math.max(...counts.values()) <= 4, `${Math.max(...counts.values())} starts in one second`)
})
