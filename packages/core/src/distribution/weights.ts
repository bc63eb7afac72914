import { SchedulingError } from '../error/error.ts'
import { quote } from '../error/fault.ts'
import { clampToTable, type Zone } from '../zone/zone.ts'
import type { Curve, Steps } from './curve.ts'
import type { Frame, Shape } from './distribution.ts'
import { uniformShape } from './uniform.ts'

export interface Weights {
  readonly name: 'weights'
  /** The name of the weights file, without its directory and `.csv`. */
  readonly file: string
  /** Undefined until the file was looked for: such a schedule decides nothing. */
  readonly curve?: Curve
}

/**
 * Why a window is spread evenly although its job has weights: no file, a file with mistakes, a curve of instants that does
 * not cover the window, or one without any weight in it.
 */
export type WeightsFallback = 'missing' | 'unreadable' | 'stale' | 'empty'

/** Runs of equal weight above 0, in seconds from the start of the window; neighbours differ, so the runs are canonical. */
interface Runs {
  readonly from: readonly number[]
  readonly to: readonly number[]
  readonly weight: readonly number[]
  /** The mass of all runs before each, added from left to right. */
  readonly before: readonly number[]
  readonly total: number
}

/** By inverse CDF over the steps of the curve; even, where the curve says nothing about the window. */
export function weightsShape(weights: Weights, frame: Frame): Shape {
  const runs = runsOver(weights, frame)
  return typeof runs === 'string' ? uniformShape : runsShape(runs, frame.seconds + 1)
}

/** Why the window is spread evenly; undefined if it follows the curve. */
export function fallbackOf(weights: Weights, frame: Frame): WeightsFallback | undefined {
  const runs = runsOver(weights, frame)
  return typeof runs === 'string' ? runs : undefined
}

/** A place keeps this distance from the ends of its run, so that rounding cannot put it into a neighbour. Seconds. */
const FROM_THE_ENDS = 2 ** -20

function runsShape({ from, to, weight, before, total }: Runs, width: number): Shape {
  return {
    quantile: u => {
      const mass = u * total
      const i = lastUpTo(before, mass)
      const place = from[i]! + (mass - before[i]!) / weight[i]!
      return Math.max(from[i]! + FROM_THE_ENDS, Math.min(place, to[i]! - FROM_THE_ENDS)) / width
    },
    cdf: x => {
      const place = x * width
      const i = lastUpTo(from, place)
      if (i < 0) return 0
      return (before[i]! + (Math.min(place, to[i]!) - from[i]!) * weight[i]!) / total
    },
  }
}

function runsOver({ file, curve }: Weights, { seconds, start, zone }: Frame): Runs | WeightsFallback {
  if (curve === undefined) throw notFound(file)
  const { steps } = curve
  if (typeof steps === 'string') return steps
  const end = start + seconds + 1
  if (steps.scale === 'instants' && (start < steps.starts[0]! || end > steps.end)) return 'stale'
  const runs = new RunBuilder(start)
  for (let at = start; at < end; ) {
    const step = steps.scale === 'instants' ? instantStep(steps, at) : dayStep(steps, at, zone)
    const to = Math.min(end, step.to)
    runs.add(at, to, step.weight)
    at = to
  }
  return runs.done() ?? 'empty'
}

const notFound = (file: string): SchedulingError =>
  new SchedulingError(`the weights ${quote(file)} were not read`, { component: 'core', operation: 'decide' })

interface StepAt {
  /** The instant at which the step ends, or its part before the zone changes its offset. */
  readonly to: number
  readonly weight: number
}

function instantStep({ starts, weights, end }: Steps, at: number): StepAt {
  const i = lastUpTo(starts, at)
  return { to: starts[i + 1] ?? end, weight: weights[i]! }
}

/** Before the first start of a day, the last step of the day before goes on. */
function dayStep({ starts, weights, end }: Steps, at: number, zone: Zone): StepAt {
  const row = zone.rowAt(clampToTable(at))
  const local = at + zone.offsetOf(row)
  const ofDay = local - Math.floor(local / end) * end
  const i = lastUpTo(starts, ofDay)
  const next = at + (starts[i + 1] ?? end) - ofDay
  const change = zone.endOf(row)
  return {
    to: change > at && change < next ? change : next,
    weight: weights[i < 0 ? weights.length - 1 : i]!,
  }
}

/** The index of the last number up to `n` in an ascending list; -1 if there is none. */
function lastUpTo(list: readonly number[], n: number): number {
  let low = 0
  let high = list.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (list[middle]! <= n) low = middle + 1
    else high = middle
  }
  return low - 1
}

class RunBuilder {
  readonly #start: number
  readonly #from: number[] = []
  readonly #to: number[] = []
  readonly #weight: number[] = []

  constructor(start: number) {
    this.#start = start
  }

  add(from: number, to: number, weight: number): void {
    if (weight === 0) return
    const last = this.#to.length - 1
    if (last >= 0 && this.#to[last] === from - this.#start && this.#weight[last] === weight) {
      this.#to[last] = to - this.#start
      return
    }
    this.#from.push(from - this.#start)
    this.#to.push(to - this.#start)
    this.#weight.push(weight)
  }

  done(): Runs | undefined {
    const before: number[] = []
    let total = 0
    for (const [i, weight] of this.#weight.entries()) {
      before.push(total)
      total += (this.#to[i]! - this.#from[i]!) * weight
    }
    if (total === 0) return undefined
    return { from: this.#from, to: this.#to, weight: this.#weight, before, total }
  }
}
