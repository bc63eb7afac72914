import { expm1 } from '../math/exp.ts'
import { log1p } from '../math/log.ts'
import type { Shape } from './distribution.ts'

export interface Exponential {
  readonly name: 'exponential'
  readonly lambda: number
  readonly dir: 'early' | 'late'
}

/** Truncated to the window: e = −ln(1 − u·(1 − e^−λ)) / λ, written so that a tiny λ keeps its digits. */
export function exponentialShape({ lambda, dir }: Exponential): Shape {
  const mass = expm1(-lambda)
  const quantile = (u: number): number => -log1p(u * mass) / lambda
  const cdf = (x: number): number => expm1(-lambda * x) / mass
  if (dir === 'early') return { quantile, cdf }
  return { quantile: u => 1 - quantile(u), cdf: x => 1 - cdf(1 - x) }
}
