import assert from 'node:assert/strict'
import { test } from 'node:test'
import { instant, value } from '@kron/testkit/reading'
import fc from 'fast-check'
import { decide, fallbackOfDecision, offsetOf, placeOf, recordOf } from '../decision/decision.ts'
import { attemptsOf } from '../decision/explanation.ts'
import { differences, recompute } from '../decision/recompute.ts'
import { acceptance } from '../forecast/acceptance.ts'
import { parseSchedule, parseScheduleHead } from '../schedule/parse.ts'
import { type Job, printSchedule } from '../schedule/schedule.ts'
import { findZone } from '../zone/find.ts'
import { TABLE_END, UTC } from '../zone/zone.ts'
import { type Curve, parseCurve } from './curve.ts'
import type { Frame } from './distribution.ts'
import { fallbackOf, weightsShape } from './weights.ts'
import { sameCurve, versionOf, withCurve } from './weights-file.ts'

const DIGEST = 'd'.repeat(64)
const curveOf = (text: string): Curve => ({ digest: DIGEST, steps: value(parseCurve(text)) })
const START = instant('2026-03-02T00:00:00Z')

function jobWith(text: string, curve: Curve, identity = 'host/job'): Job {
  return { identity, schedule: withCurve(parseScheduleHead(text).schedule!, () => curve) }
}

const NIGHT = '0 22 * * * @win(after,8h) @dist(weights,file=tariff)'
const frameOf = (start: number, seconds: number, zone = UTC): Frame => ({
  seconds,
  nominal: 0,
  around: false,
  start,
  zone,
})

/** How many seconds of the window have which weight, counted second by second. */
function massBySecond(text: string, { seconds, start, zone }: Frame): number[] {
  const { scale, starts, weights } = value(parseCurve(text))
  return Array.from({ length: seconds + 1 }, (_, i) => {
    const local = start + i + zone.offsetAt(start + i)
    const at = scale === 'day' ? ((local % 86_400) + 86_400) % 86_400 : start + i
    const step = starts.findLastIndex(each => each <= at)
    return weights[step < 0 ? weights.length - 1 : step]!
  })
}

const ZONES = ['UTC', 'Europe/Paris', 'Australia/Lord_Howe', 'America/St_Johns'].map(name => findZone(name)!)
const weight = fc.constantFrom('0', '1', '2.5', '0.001', '999999999')
const dayText = fc
  .uniqueArray(fc.nat(1_439), { minLength: 1, maxLength: 12 })
  .chain(minutes =>
    fc.tuple(
      fc.constant(minutes.toSorted((a, b) => a - b)),
      fc.array(weight, { minLength: 12, maxLength: 12 }),
    ),
  )
  .map(([minutes, weights]) =>
    minutes.map(
      (m, i) => `${String((m / 60) | 0).padStart(2, '0')}:${String(m % 60).padStart(2, '0')},${weights[i]}`,
    ),
  )
  .filter(lines => lines.some(line => !line.endsWith(',0')))
  .map(lines => lines.join('\n'))

test('the curve over a window is the sum of its seconds, also where clocks change', () => {
  fc.assert(
    fc.property(
      dayText,
      fc.constantFrom(...ZONES),
      fc.constantFrom(
        '2025-03-29T20:00:00Z',
        '2025-10-25T20:13:00Z',
        '2025-04-05T14:59:31Z',
        '2026-01-01T00:00:00Z',
      ),
      fc.integer({ min: 1, max: 40_000 }),
      fc.nat(1_000_000),
      (text, zone, at, seconds, n) => {
        const frame = frameOf(instant(at), seconds, zone)
        const weights = { name: 'weights', file: 'x', curve: curveOf(text) } as const
        const mass = massBySecond(text, frame)
        const total = mass.reduce((sum, each) => sum + each, 0)
        if (total === 0) return assert.equal(fallbackOf(weights, frame), 'empty')
        const shape = weightsShape(weights, frame)
        const x = n / 1_000_001
        const up = Math.floor(x * (seconds + 1))
        const below =
          mass.slice(0, up).reduce((sum, each) => sum + each, 0) + mass[up]! * (x * (seconds + 1) - up)
        assert.ok(Math.abs(shape.cdf(x) - below / total) < 1e-9)
        const place = placeOf(shape, x)
        assert.ok(mass[offsetOf(place, seconds)]! > 0, 'a second without weight is never chosen')
        assert.ok(Math.abs(shape.cdf(place) - x) < 1e-5)
      },
    ),
    { numRuns: 150, seed: 1 },
  )
})

test('an even curve is uniform to the second', () => {
  const even = jobWith(NIGHT, curveOf('00:00,7'))
  const plain = { ...even, schedule: { ...even.schedule, distribution: { name: 'uniform' } as const } }
  for (let i = 0; i < 500; i++)
    assert.equal(decide(even, START + i * 86_400).chosen, decide(plain, START + i * 86_400).chosen)
})

/** Chi-squared of the starts of each minute against a curve, beside the bound that a correct one exceeds once in 100,000 times. */
function chiSquared(seen: Uint32Array, text: string): { found: number; bound: number } {
  const mass = massBySecond(text, frameOf(START, seen.length * 60 - 1))
  const sum = (list: readonly number[]): number => list.reduce((total, each) => total + each, 0)
  const starts = seen.reduce((total, each) => total + each, 0)
  let found = 0
  let degrees = -1
  for (const [minute, count] of seen.entries()) {
    const expected = (sum(mass.slice(minute * 60, minute * 60 + 60)) / sum(mass)) * starts
    if (expected === 0) assert.equal(count, 0, 'a minute without weight')
    else {
      found += (count - expected) ** 2 / expected
      degrees++
    }
  }
  // By Wilson and Hilferty.
  return { found, bound: degrees * (1 - 2 / (9 * degrees) + 4.3 * Math.sqrt(2 / (9 * degrees))) ** 3 }
}

test('100,000 periods follow their curve, and no neighbouring one', () => {
  const curve = (third: string): string => `00:00,4\n00:20,0\n00:30,1\n01:15,${third}\n01:40,0.5`
  const text = '0 0 * * * @win(after,7199s) @dist(weights,file=x)'
  const job = jobWith(text, curveOf(curve('2.5')), 'chi-squared')
  const seen = new Uint32Array(120)
  for (let i = 0; i < 100_000; i++) {
    const { chosen, windowStart } = decide(job, START + i * 86_400)
    seen[Math.floor((chosen! - windowStart) / 60)]! += 1
  }
  const right = chiSquared(seen, curve('2.5'))
  assert.ok(right.found < right.bound, `${right.found} is not below ${right.bound}`)
  const wrong = chiSquared(seen, curve('2.8'))
  assert.ok(wrong.found > wrong.bound, `${wrong.found} is not above ${wrong.bound}`)
})

test('without a usable curve the window is spread evenly, and the decision says why', () => {
  const plain = value(parseSchedule('0 22 * * * @win(after,8h)'))
  const nominal = START + 22 * 3_600
  const uniform = decide({ identity: 'host/job', schedule: plain }, nominal).chosen
  const tomorrow = '2026-03-03T00:00:00Z,1\n2026-03-03T01:00:00Z,2'
  for (const [curve, fallback] of [
    [{ digest: '', steps: 'missing' }, 'missing'],
    [{ digest: DIGEST, steps: 'unreadable' }, 'unreadable'],
    [curveOf(tomorrow), 'stale'],
    [curveOf('08:00,1\n20:00,0'), 'empty'],
  ] as const) {
    const decision = decide(jobWith(NIGHT, curve), nominal)
    const record = recordOf(decision)
    assert.equal(decision.chosen, uniform)
    assert.equal(record.weightsFallback, fallback)
    assert.equal(fallbackOfDecision(decision), fallback)
    assert.equal(record.weightsDigest, curve.digest === '' ? undefined : DIGEST)
    assert.deepEqual([record.distribution, record.params], ['weights', { file: 'tariff' }])
    const again = value(recompute(record, undefined, undefined, undefined, () => curve))
    assert.deepEqual(differences(record, again), [])
  }
})

test('a record is recomputed with the curve of its digest only', () => {
  const curve = curveOf('00:00,1\n03:00,9')
  const decision = decide(jobWith(NIGHT, curve), START + 22 * 3_600)
  const record = recordOf(decision)
  assert.equal(record.weightsDigest, DIGEST)
  assert.equal(record.weightsFallback, undefined)
  const again = value(recompute(record, undefined, undefined, undefined, () => curve))
  assert.deepEqual(attemptsOf(again), attemptsOf(decision))
  const other = recompute(record, undefined, undefined, undefined, () => ({
    ...curve,
    digest: 'e'.repeat(64),
  }))
  assert.ok(!other.ok && /the weights "tariff" are not at hand/.test(other.faults[0]!.message))
  assert.ok(!recompute(record).ok)
})

test('a schedule with weights is printed and compared by its file', () => {
  const { schedule } = jobWith(NIGHT, curveOf('00:00,1'))
  assert.equal(printSchedule(schedule), NIGHT)
  assert.ok(
    sameCurve(
      schedule,
      withCurve(schedule, () => curveOf('00:00,1')),
    ),
  )
  assert.ok(
    !sameCurve(
      schedule,
      withCurve(schedule, () => ({ digest: '', steps: 'missing' })),
    ),
  )
  assert.ok(!sameCurve(schedule, parseScheduleHead('0 22 * * * @dist(weights,file=other)').schedule!))
  assert.throws(
    () => decide({ identity: 'a', schedule: parseScheduleHead(NIGHT).schedule! }, START),
    /were not read/,
  )
  assert.ok(!parseSchedule(NIGHT).ok, 'a schedule without files beside it cannot have weights')
})

const shapeOf = (text: string, frame: Frame) =>
  weightsShape({ name: 'weights', file: 'x', curve: curveOf(text) }, frame)

test('a place keeps 2^-20 seconds from the ends of its run', () => {
  const shape = shapeOf('00:00,0\n00:10,1\n00:40,0', frameOf(START, 3_599))
  assert.equal(shape.quantile(0), (600 + 2 ** -20) / 3_600)
  assert.equal(shape.quantile(1), (2_400 - 2 ** -20) / 3_600)
})

test('neighbouring steps of one weight are one run', () => {
  const hour = frameOf(START, 3_599)
  assert.equal(shapeOf('00:00,1\n00:30,1', hour).quantile(0.5), 0.5)
  assert.equal(shapeOf('00:00,1\n00:30,1\n00:45,1', hour).quantile(0.75), 0.75)
  assert.equal(shapeOf('00:00,1\n00:30,3', hour).quantile(0.25), (1_800 + 2 ** -20) / 3_600)
})

test('instants cover a window that begins and ends with them, and none that is a second longer', () => {
  const curve = curveOf('2026-03-02T00:00:00Z,1\n2026-03-02T01:00:00Z,2')
  const fallback = (start: number, seconds: number) =>
    fallbackOf({ name: 'weights', file: 'x', curve }, frameOf(start, seconds))
  assert.equal(fallback(START, 7_199), undefined)
  assert.equal(fallback(START - 1, 7_199), 'stale')
  assert.equal(fallback(START, 7_200), 'stale')
})

test('each instant begins a step of its own weight', () => {
  const text = '2026-03-02T00:00:00Z,1\n2026-03-02T01:00:00Z,2\n2026-03-02T02:00:00Z,1'
  const shape = shapeOf(text, frameOf(START, 3 * 3_600 - 1))
  assert.deepEqual([shape.cdf(1 / 3), shape.cdf(2 / 3), shape.quantile(0.5)], [0.25, 0.75, 0.5])
})

test('a window at the end of the zone tables follows the curve, too', () => {
  assert.equal(shapeOf('00:00,1', frameOf(TABLE_END, 3_599)).quantile(0.5), 0.5)
  assert.equal(shapeOf('00:00,1', frameOf(TABLE_END - 1_800, 3_599)).quantile(0.5), 0.5)
})

test('only a schedule with weights gets a curve', () => {
  const plain = value(parseSchedule('0 22 * * *'))
  const find = () => assert.fail('there is no file to look for')
  assert.equal(withCurve(plain, find), plain)
})

test('curves differ by their files, and by the reasons why there are none', () => {
  const curves: (Curve | undefined)[] = [
    undefined,
    { digest: '', steps: 'missing' },
    { digest: DIGEST, steps: 'unreadable' },
    curveOf('00:00,1'),
  ]
  assert.equal(new Set(curves.map(versionOf)).size, curves.length)
})

test('the chance of an allowed second counts only the weight of allowed seconds', () => {
  const curve = curveOf('00:00,0\n01:00,1\n02:00,0')
  const of = (constraint: string): number =>
    acceptance(jobWith(`0 0 * * * @win(after,4h) @dist(weights,file=x) ${constraint}`, curve).schedule, START)
  assert.equal(of('@only(hours=2-3)'), 0)
  assert.equal(of('@only(hours=1)'), 1)
  assert.ok(Math.abs(of('@only(between=01:00-01:14)') - 0.25) < 1e-9)
})
