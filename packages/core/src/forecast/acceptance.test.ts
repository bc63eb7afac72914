import assert from 'node:assert/strict'
import { test } from 'node:test'
import { instant, jobOf, scheduleOf } from '@kron/testkit/reading'
import fc from 'fast-check'
import { allows } from '../constraint/constraints.ts'
import { decide, frameOf } from '../decision/decision.ts'
import { shapeOf } from '../distribution/distribution.ts'
import { acceptance, unschedulableChance } from './acceptance.ts'

const NIGHT = instant('2026-03-29T00:00:00Z')
const near = (actual: number, expected: number): void =>
  assert.ok(Math.abs(actual - expected) < 1e-9, `${actual} is not ${expected}`)

test('the chance of a sample is that of all its seconds, added one by one', () => {
  const schedule = fc
    .tuple(
      fc.constantFrom('UTC', 'Europe/Paris', 'Asia/Kathmandu'),
      fc.constantFrom('after', 'around', 'before'),
      fc.constantFrom('1s', '59s', '61s', '2h', '5h0m7s'),
      fc.constantFrom('uniform', 'skewEarly', 'normal,sigma=10m', 'exponential,dir=late'),
      fc.constantFrom(
        '@only(hours=1-2)',
        '@avoid(between=00:30-01:30)',
        '@only(dow=SUN) @avoid(hours=3)',
        '@avoid(hours=0-23)',
        '',
      ),
    )
    .map(([zone, mode, length, dist, rest]) =>
      scheduleOf(`* * * * * @tz(${zone}) @win(${mode},${length}) @dist(${dist}) ${rest}`),
    )
  fc.assert(
    fc.property(schedule, fc.nat(86_400), (each, later) => {
      const nominal = NIGHT + later
      const { windowStart, windowEnd } = decide({ identity: '', schedule: each }, nominal)
      const seconds = windowEnd - windowStart
      const { cdf } = shapeOf(each.distribution, frameOf(each, nominal, windowStart, seconds))
      let sum = 0
      for (let i = 0; i <= seconds; i++) {
        if (allows(each.constraints, each.zone, windowStart + i))
          sum += cdf((i + 1) / (seconds + 1)) - cdf(i / (seconds + 1))
      }
      near(acceptance(each, nominal), sum)
    }),
    { numRuns: 150, seed: 1 },
  )
})

test('without constraints every sample is allowed', () => {
  assert.equal(acceptance(scheduleOf('@daily @win(after,744h)'), NIGHT), 1)
})

test('a period fails only if all 64 samples do', () => {
  const schedule = scheduleOf('@daily @win(after,59m59s) @only(between=00:00-00:05)')
  near(acceptance(schedule, NIGHT), 0.1)
  near(unschedulableChance(schedule, NIGHT), 0.9 ** 64)
})

test('the chance is that of the periods themselves', () => {
  const job = jobOf('@daily @win(after,1h59m59s) @only(between=00:00-00:02)')
  const periods = 20_000
  let failed = 0
  for (let i = 0; i < periods; i++) if (decide(job, NIGHT + i * 86_400).chosen === null) failed++
  const expected = unschedulableChance(job.schedule, NIGHT)
  const deviation = Math.sqrt((expected * (1 - expected)) / periods)
  assert.ok(Math.abs(failed / periods - expected) < 5 * deviation, `${failed / periods}, not ${expected}`)
})

test('a window of a single second has a single chance', () => {
  for (const length of ['0s', '500ms']) {
    assert.equal(unschedulableChance(scheduleOf(`@daily @win(after,${length}) @only(hours=9)`), NIGHT), 1)
    assert.equal(unschedulableChance(scheduleOf(`@daily @win(after,${length}) @only(hours=0)`), NIGHT), 0)
  }
})

test('a single second is certain or impossible, whatever the distribution would make of it', () => {
  for (const distribution of ['uniform', 'skewLate', 'normal', 'normal,sigma=1m', 'exponential']) {
    const chance = (hours: string): number =>
      acceptance(scheduleOf(`@daily @win(around,0s) @dist(${distribution}) @only(hours=${hours})`), NIGHT)
    assert.deepEqual([chance('0'), chance('9')], [1, 0], distribution)
  }
})

test('the last second of a window counts as every other, though its minute begins with it', () => {
  near(acceptance(scheduleOf('@daily @win(after,1h) @only(hours=1)'), NIGHT), 1 / 3_601)
})
