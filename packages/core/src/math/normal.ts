import { scaleByPowerOfTwo } from './bits.ts'
import { productError, sumError } from './double-double.ts'
import { log } from './log.ts'
import { normalTail, TAIL_END } from './normal-tail.ts'

/** Φ(x), the standard normal distribution function, within 0.501 ulp, or 0.75 where the result is subnormal. */
export function normalCdf(x: number): number {
  if (Number.isNaN(x)) return x
  if (x < -TAIL_END) return 0
  if (x > TAIL_END) return 1
  const tail = normalTail(Math.abs(x))
  if (x <= 0) return scaleByPowerOfTwo(tail.hi + tail.lo, tail.exponent)
  const hi = scaleByPowerOfTwo(tail.hi, tail.exponent)
  const lo = scaleByPowerOfTwo(tail.lo, tail.exponent)
  const difference = 1 - hi
  return difference + (sumError(1, -hi, difference) - lo)
}

const CENTRE = 1 / 128

/** Φ⁻¹(p) within 0.51 ulp; −∞ and ∞ at 0 and 1, NaN beyond them. */
export function normalQuantile(p: number): number {
  if (!(p >= 0 && p <= 1)) return NaN
  if (p === 0) return -Infinity
  if (p === 1) return Infinity
  if (Math.abs(p - 0.5) < CENTRE) return quantileNearHalf(p - 0.5)
  return p < 0.5 ? -tailQuantile(p) : tailQuantile(1 - p)
}

// √(2π)
const SLOPE_HI = 2.5066282746310007
const SLOPE_LO = -1.8328579980459167e-16

/** Φ⁻¹(½ + v) by the Taylor series of the inverse, because the tail itself says little about a tiny v. */
function quantileNearHalf(v: number): number {
  const w = v * SLOPE_HI
  const wLo = productError(v, SLOPE_HI, w) + v * SLOPE_LO
  const square = w * w
  const higher =
    1 / 6 + square * (7 / 120 + square * (127 / 5040 + square * (4369 / 362880 + (square * 34807) / 5702400)))
  return w + (wLo + w * square * higher)
}

/** The t with Φ(−t) = q: a guess, then one step of fourth order with the tail in double-double. */
function tailQuantile(q: number): number {
  const guess = guessTailQuantile(q)
  const tail = normalTail(guess)
  const excess = tail.hi - scaleByPowerOfTwo(q, -tail.exponent) + tail.lo
  const delta = excess / tail.density
  return guess + delta * (1 + delta * (guess / 2 + (delta * (2 * guess * guess + 1)) / 6))
}

/** Within 4e-6 / max(1, t), by a rational function of √(−2·ln q) fitted over the whole range of q. */
function guessTailQuantile(q: number): number {
  const r = Math.sqrt(-2 * log(q))
  const numerator =
    2.987970966 + r * (5.44713376 + r * (1.049281752 + r * (0.02749051389 + r * 0.00002003529439)))
  const denominator = 1 + r * (3.845966957 + r * (2.374802676 + r * (0.2631332916 + r * 0.004446835149)))
  return r - numerator / denominator
}
