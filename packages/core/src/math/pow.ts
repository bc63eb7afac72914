import { scaleByPowerOfTwo } from './bits.ts'
import { productError } from './double-double.ts'
import { expPrecise } from './exp.ts'
import { logPrecise } from './log.ts'

/** Below this, e^x rounds to 1. */
const NEGLIGIBLE = 5e-17

/** base^exponent within 0.51 ulp, or 0.75 where the result is subnormal; NaN for a base below 0. */
export function pow(base: number, exponent: number): number {
  if (!(base >= 0) || Number.isNaN(exponent)) return NaN
  if (exponent === 0 || base === 1) return 1
  if (exponent === 1) return base
  if (exponent === 2) return base * base
  if (base === 0) return exponent > 0 ? 0 : Infinity
  if (base === Infinity) return exponent > 0 ? Infinity : 0

  const logarithm = logPrecise(base, 0)
  const product = logarithm.hi * exponent
  if (product > 710) return Infinity
  if (product < -746) return 0
  if (Math.abs(product) < NEGLIGIBLE) return 1
  const productLo = productError(logarithm.hi, exponent, product) + logarithm.lo * exponent
  const power = expPrecise(product, productLo)
  return scaleByPowerOfTwo(power.hi + power.lo, power.exponent)
}
