import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SECOND } from '../time/duration.ts'
import { UTC } from '../zone/zone.ts'
import { type Distribution, type Frame, shapeOf } from './distribution.ts'

const AFTER: Frame = { seconds: 3_600, nominal: 0, around: false, start: 0, zone: UTC }
const AROUND: Frame = { seconds: 3_600, nominal: 0.5, around: true, start: 0, zone: UTC }

const quantile = (distribution: Distribution, u: number, frame = AFTER): number =>
  shapeOf(distribution, frame).quantile(u)

const near = (actual: number, expected: number, by = 1e-14): void =>
  assert.ok(Math.abs(actual - expected) < by, `${actual} is not ${expected}`)

test('uniform is u itself', () => {
  assert.equal(quantile({ name: 'uniform' }, 0.37), 0.37)
})

test('skewEarly is u to the power of its shape, and skewLate its mirror image', () => {
  for (const shape of [0.5, 1, 2, 3, 7.25]) {
    near(quantile({ name: 'skewEarly', shape }, 0.4), 0.4 ** shape)
    near(quantile({ name: 'skewLate', shape }, 0.4), 1 - 0.6 ** shape)
  }
})

test('a skew of shape 1 is uniform', () => {
  assert.equal(quantile({ name: 'skewEarly', shape: 1 }, 0.37), 0.37)
  near(quantile({ name: 'skewLate', shape: 1 }, 0.37), 0.37)
})

test('an extreme shape leaves only the end it leans to', () => {
  assert.equal(quantile({ name: 'skewEarly', shape: 1e300 }, 0.999), 0)
  assert.equal(quantile({ name: 'skewLate', shape: 1e300 }, 0.001), 1)
  assert.equal(quantile({ name: 'skewEarly', shape: 1e-320 }, 0.001), 1)
})

test('the median of a normal is its mean, which defaults to the nominal time or to the middle', () => {
  near(quantile({ name: 'normal' }, 0.5), 0.5)
  near(quantile({ name: 'normal' }, 0.5, AROUND), 0.5)
  near(quantile({ name: 'normal' }, 0.5, { ...AROUND, nominal: 0.5001 }), 0.5001, 2e-6)
  near(quantile({ name: 'normal', mu: 'mid' }, 0.5, { ...AROUND, nominal: 0.5001 }), 0.5)
})

test('a normal at one end of the window is half a bell', () => {
  const start = quantile({ name: 'normal', mu: 'start' }, 0.5)
  const end = quantile({ name: 'normal', mu: 'end' }, 0.5)
  near(start, 0.6744897501960817 / 6, 1e-9)
  near(end, 1 - 0.6744897501960817 / 6, 1e-9)
  assert.equal(quantile({ name: 'normal', mu: 'nominal' }, 0.5), start)
})

test('sigma is a sixth of the window unless it is given', () => {
  const u = 0.2
  assert.equal(
    quantile({ name: 'normal', sigma: 1_200 * SECOND }, u, { ...AFTER, seconds: 7_200 }),
    quantile({ name: 'normal' }, u),
  )
})

test('a sigma much wider than the window is nearly uniform, a tiny one nearly the mean', () => {
  const wide = quantile({ name: 'normal', sigma: 744 * 3_600 * SECOND }, 0.3, { ...AFTER, seconds: 60 })
  assert.ok(Math.abs(wide - 0.3) < 1e-6, `${wide}`)
  near(quantile({ name: 'normal', sigma: 1 }, 0.999), 0.5, 1e-12)
})

test('exponential is the inverse of the truncated curve, from either end', () => {
  for (const lambda of [0.01, 1, 3.5, 40]) {
    const e = -Math.log(1 - 0.4 * (1 - Math.exp(-lambda))) / lambda
    near(quantile({ name: 'exponential', lambda, dir: 'early' }, 0.4), e)
    near(quantile({ name: 'exponential', lambda, dir: 'late' }, 0.4), 1 - e)
  }
})

test('a lambda near nothing is uniform, down to the least number there is', () => {
  for (const lambda of [1e-8, 1e-16, 1e-18, 1e-300, Number.MIN_VALUE]) {
    const x = quantile({ name: 'exponential', lambda, dir: 'early' }, 0.37)
    assert.ok(Math.abs(x - 0.37) < 1e-8, `${lambda}: ${x}`)
  }
})

test('an enormous lambda leaves only the end it leans to', () => {
  assert.ok(quantile({ name: 'exponential', lambda: 1e300, dir: 'early' }, 0.999) < 1e-290)
  assert.equal(quantile({ name: 'exponential', lambda: 1e300, dir: 'late' }, 0.999), 1)
})

test('the straight line stands in only for curves that no double tells from it', () => {
  const exponential = (lambda: number) => shapeOf({ name: 'exponential', lambda, dir: 'early' }, AFTER)
  const straight = shapeOf({ name: 'uniform' }, AFTER)
  assert.equal(exponential(0.99e-17), straight)
  assert.notEqual(exponential(1e-17), straight)
})
