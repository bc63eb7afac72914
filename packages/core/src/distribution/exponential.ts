import { expm1 } from '../math/exp.ts'
import { log1p } from '../math/log.ts'
import type { Shape } from './distribution.ts'
import { uniformShape } from './uniform.ts'

export interface Exponential {
  readonly name: 'exponential'
  readonly lambda: number
  readonly dir: 'early' | 'late'
}

/** Below this the curve differs from a straight line by less than a double can tell. */
const FLAT = 1e-17

/** Truncated to the window: e = −ln(1 − u·(1 − e^−λ)) / λ, written so that a small λ keeps its digits. */
export function exponentialShape({ lambda, dir }: Exponential): Shape {
  if (lambda < FLAT) return uniformShape
  const mass = expm1(-lambda)
  const quantile = (u: number): number => -log1p(u * mass) / lambda
  const cdf = (x: number): number => expm1(-lambda * x) / mass
  if (dir === 'early') return { quantile, cdf }
  return { quantile: u => 1 - quantile(u), cdf: x => 1 - cdf(1 - x) }
}
