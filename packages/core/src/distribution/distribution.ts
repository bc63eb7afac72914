import type { Zone } from '../zone/zone.ts'
import { type Exponential, exponentialShape } from './exponential.ts'
import { type Normal, normalShape } from './normal.ts'
import { type Skew, skewEarlyShape, skewLateShape } from './skew.ts'
import { type Uniform, uniformShape } from './uniform.ts'
import { type Weights, weightsShape } from './weights.ts'

export type Distribution = Uniform | Skew | Normal | Exponential | Weights

/** A window as the distributions see it: `nominal` is where the nominal time falls, 0 at the start, 1 at the end. */
export interface Frame {
  readonly seconds: number
  readonly nominal: number
  readonly around: boolean
  /** The first second of the window, and the zone of the job, for curves that depend on the time. */
  readonly start: number
  readonly zone: Zone
}

/** A distribution laid over one window. */
export interface Shape {
  /** Where in the window a `u` falls: `x`, from 0 at its start to 1 at its end. */
  quantile(u: number): number
  /** The share of all `u` that fall at or before `x`. */
  cdf(x: number): number
}

export function shapeOf(distribution: Distribution, frame: Frame): Shape {
  switch (distribution.name) {
    case 'uniform':
      return uniformShape
    case 'skewEarly':
      return skewEarlyShape(distribution.shape)
    case 'skewLate':
      return skewLateShape(distribution.shape)
    case 'normal':
      return normalShape(distribution, frame)
    case 'exponential':
      return exponentialShape(distribution)
    case 'weights':
      return weightsShape(distribution, frame)
  }
}
