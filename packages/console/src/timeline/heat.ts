import { isTrouble } from '../model/job-state.ts'
import { type TimeScale, xOf } from '../model/time-scale.ts'
import type { Bar } from './bar.ts'

/** Periods closer together than this many pixels are drawn as heat. */
const CLOSEST = 4
/** The width of a cell of heat, in pixels. */
export const CELL = 6

/** The periods and outcomes in one cell of a row. */
export interface Cell {
  readonly x: number
  /** Starts, planned and past, as a share of the fullest cell. */
  readonly density: number
  /** Outcomes that are known, those that are successes, and those that are troubles. */
  readonly known: number
  readonly successes: number
  readonly troubles: number
}

export const isCrowded = (scale: TimeScale, times: readonly number[]): boolean =>
  times.filter(at => at >= scale.from && at <= scale.to).length > scale.width / CLOSEST

/** Density and troubles of a row, cell by cell; empty cells are left out. */
export function heatOf(scale: TimeScale, times: readonly number[], bars: readonly Bar[]): readonly Cell[] {
  const count = Math.ceil(scale.width / CELL)
  const starts = new Uint32Array(count)
  const known = new Uint32Array(count)
  const successes = new Uint32Array(count)
  const troubles = new Uint32Array(count)
  const add = (cells: Uint32Array, at: number): void => {
    const cell = Math.floor(xOf(scale, at) / CELL)
    if (cell >= 0 && cell < count) cells[cell]! += 1
  }
  for (const at of times) add(starts, at)
  for (const { from, kind, isExample } of bars) {
    if (isExample === true) continue
    add(known, from)
    if (kind === 'succeeded') add(successes, from)
    if (isTrouble(kind)) add(troubles, from)
  }
  const most = Math.max(1, ...starts, ...known)
  return Array.from(starts, (planned, i) => ({
    x: i * CELL,
    density: Math.max(planned, known[i]!) / most,
    known: known[i]!,
    successes: successes[i]!,
    troubles: troubles[i]!,
  })).filter(cell => cell.density > 0)
}
