/** The figures of a run, kept beside the text it prints. */
export interface Page {
  readonly axis: string
  readonly measured: string
  readonly machine: string
  readonly targets: Target[]
  readonly tables: Table[]
  readonly curves: Curve[]
}

export interface Target {
  readonly what: string
  readonly value: number
  /** Least and most of the rounds, where there were several. */
  readonly range?: readonly [least: number, most: number]
  readonly wanted: 'at least' | 'at most'
  readonly limit: number
  /** Begins with × when the value is a ratio to something measured in the same run. */
  readonly unit: string
}

export interface Table {
  readonly header: readonly string[]
  readonly rows: readonly (readonly string[])[]
}

/** How a cost grows with the number of jobs. */
export interface Curve {
  readonly title: string
  readonly unit: string
  readonly lines: readonly Line[]
}

export interface Line {
  readonly name: string
  readonly points: readonly (readonly [jobs: number, value: number])[]
}

let page: Page | undefined

/** Begins the page of an axis; what is measured from now on is noted there. */
export function openPage(axis: string, machine: string): Page {
  page = { axis, measured: new Date().toISOString(), machine, targets: [], tables: [], curves: [] }
  return page
}

export const noteTarget = (target: Target): unknown => page?.targets.push(target)
export const noteTable = (table: Table): unknown => page?.tables.push(table)
export const noteCurve = (curve: Curve): unknown => page?.curves.push(curve)

export const isMet = ({ value, wanted, limit }: Target): boolean =>
  wanted === 'at least' ? value >= limit : value <= limit

export const isRatio = ({ unit }: Target): boolean => unit.startsWith('×')
