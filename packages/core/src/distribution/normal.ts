import { normalCdf, normalQuantile } from '../math/normal.ts'
import { SECOND } from '../time/duration.ts'
import type { Frame, Shape } from './distribution.ts'

export type Mean = 'nominal' | 'start' | 'mid' | 'end'

export interface Normal {
  readonly name: 'normal'
  /** Absent: `nominal` for windows around it, `mid` otherwise. */
  readonly mu?: Mean
  /** Nanoseconds; absent: a sixth of the window. */
  readonly sigma?: number
}

/** Truncated to the window, by inverse CDF. */
export function normalShape(normal: Normal, frame: Frame): Shape {
  const mean = meanOf(normal, frame)
  const spread = normal.sigma === undefined ? 1 / 6 : normal.sigma / SECOND / frame.seconds
  const below = normalCdf(-mean / spread)
  const mass = normalCdf((1 - mean) / spread) - below
  return {
    quantile: u => mean + spread * normalQuantile(below + u * mass),
    cdf: x => (normalCdf((x - mean) / spread) - below) / mass,
  }
}

export const meanName = (normal: Normal, around: boolean): Mean => normal.mu ?? (around ? 'nominal' : 'mid')

function meanOf(normal: Normal, frame: Frame): number {
  switch (meanName(normal, frame.around)) {
    case 'nominal':
      return frame.nominal
    case 'start':
      return 0
    case 'mid':
      return 0.5
    case 'end':
      return 1
  }
}
