import { pow } from '../math/pow.ts'
import type { Shape } from './distribution.ts'

export interface Skew {
  readonly name: 'skewEarly' | 'skewLate'
  /** The larger, the closer to that end of the window; 1 is uniform. */
  readonly shape: number
}

export const skewEarlyShape = (shape: number): Shape => ({
  quantile: u => pow(u, shape),
  cdf: x => pow(x, 1 / shape),
})

export const skewLateShape = (shape: number): Shape => ({
  quantile: u => 1 - pow(1 - u, shape),
  cdf: x => 1 - pow(1 - x, 1 / shape),
})
