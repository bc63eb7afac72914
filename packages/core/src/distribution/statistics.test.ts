import assert from 'node:assert/strict'
import { test } from 'node:test'
import { instant, jobOf } from '@kron/testkit/reading'
import { decide } from '../decision/decision.ts'

const PERIODS = 100_000
const DAY = instant('2026-03-01T00:00:00Z')

type Curve = (x: number) => number

/** Kolmogorov and Smirnov's distance between the chosen seconds of 100,000 periods and the curve they should follow. */
function distance(modifiers: string, curve: Curve): number {
  const job = jobOf(`0 * * * * ${modifiers}`, `statistics ${modifiers}`)
  const { windowStart, windowEnd } = decide(job, DAY)
  const seconds = windowEnd - windowStart + 1
  const counts = new Uint32Array(seconds)
  for (let i = 0; i < PERIODS; i++) {
    const { chosen, windowStart: start } = decide(job, DAY + i * 3_600)
    counts[chosen! - start]! += 1
  }
  let seen = 0
  let most = 0
  for (let second = 0; second < seconds; second++) {
    seen += counts[second]!
    most = Math.max(most, Math.abs(seen / PERIODS - curve((second + 1) / seconds)))
  }
  return most
}

/** A correct distribution exceeds this bound once in a million times. */
const CRITICAL = 2.7 / Math.sqrt(PERIODS)

const uniform: Curve = x => x
const early =
  (shape: number): Curve =>
  x =>
    x ** (1 / shape)
const mirrored =
  (curve: Curve): Curve =>
  x =>
    1 - curve(1 - x)
const exponential =
  (lambda: number): Curve =>
  x =>
    Math.expm1(-lambda * x) / Math.expm1(-lambda)

/** The bell cut to the window, added up in small steps by Simpson's rule. */
function normal(mean: number, spread: number): Curve {
  const density = (x: number): number => Math.exp(-(((x - mean) / spread) ** 2) / 2)
  const steps = 20_000
  const sums = [0]
  for (let i = 0; i < steps; i++) {
    const [a, b] = [i / steps, (i + 1) / steps]
    sums.push(sums[i]! + (density(a) + 4 * density((a + b) / 2) + density(b)) / 6 / steps)
  }
  return x => sums[Math.round(x * steps)]! / sums[steps]!
}

const SHAPES: readonly [modifiers: string, curve: Curve][] = [
  ['@win(after,2h)', uniform],
  ['@win(after,2h) @dist(skewEarly)', early(2)],
  ['@win(after,2h) @dist(skewEarly,shape=0.5)', early(0.5)],
  ['@win(before,2h) @dist(skewLate,shape=3.3)', mirrored(early(3.3))],
  ['@win(after,2h) @dist(normal)', normal(0.5, 1 / 6)],
  ['@win(around,2h) @dist(normal,sigma=20m)', normal(0.5, 1 / 6)],
  ['@win(after,2h) @dist(normal,mu=end,sigma=1h)', normal(1, 0.5)],
  ['@win(after,2h) @dist(exponential)', exponential(1)],
  ['@win(after,2h) @dist(exponential,lambda=5,dir=late)', mirrored(exponential(5))],
]

for (const [modifiers, curve] of SHAPES) {
  test(`100,000 periods of ${modifiers} follow their curve`, () => {
    const found = distance(modifiers, curve)
    assert.ok(found < CRITICAL, `${found} is not below ${CRITICAL}`)
  })
}

test('the distance tells neighbouring curves apart', () => {
  assert.ok(distance('@win(after,2h)', early(1.05)) > CRITICAL)
  assert.ok(distance('@win(after,2h) @dist(normal)', normal(0.5, 1 / 5.5)) > CRITICAL)
  assert.ok(distance('@win(after,2h) @dist(exponential)', exponential(1.1)) > CRITICAL)
})

test('constraints leave the shape of what they allow', () => {
  const job = jobOf('0 0 * * * @win(after,2h) @only(between=00:30-00:59)', 'statistics, constrained')
  const counts = new Uint32Array(30)
  for (let i = 0; i < 20_000; i++)
    counts[Math.floor((decide(job, DAY + i * 86_400).chosen! % 86_400) / 60) - 30]! += 1
  const expected = 20_000 / 30
  const chiSquare = counts.reduce((sum, n) => sum + (n - expected) ** 2 / expected, 0)
  assert.ok(chiSquare < 70, `${chiSquare} with 29 degrees of freedom`)
})
