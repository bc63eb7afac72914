import { type Exponential, exponentialShape } from './exponential.ts'
import { type Normal, normalShape } from './normal.ts'
import { type Skew, skewEarlyShape, skewLateShape } from './skew.ts'
import { type Uniform, uniformShape } from './uniform.ts'

export type Distribution = Uniform | Skew | Normal | Exponential

/** A window as the distributions see it: `nominal` is where the nominal time falls, 0 at the start, 1 at the end. */
export interface Frame {
  readonly seconds: number
  readonly nominal: number
  readonly around: boolean
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
  }
}
