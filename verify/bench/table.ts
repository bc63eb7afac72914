import { median, type Ratio, type Timing } from './measure.ts'
import { type Curve, isMet, noteCurve, noteTable, noteTarget, type Target } from './notebook.ts'

/** Columns as wide as they need to be; the first to the left, the others to the right. */
export function printTable(header: readonly string[], rows: readonly (readonly string[])[]): void {
  noteTable({ header, rows })
  const widths = header.map((title, i) => Math.max(title.length, ...rows.map(row => row[i]!.length)))
  const line = (cells: readonly string[]): string =>
    cells.map((cell, i) => (i === 0 ? cell.padEnd(widths[i]!) : cell.padStart(widths[i]!))).join('  ')
  console.log(line(header))
  console.log(widths.map(width => '-'.repeat(width)).join('  '))
  for (const row of rows) console.log(line(row))
}

/** A row for each line, a column for each number of jobs. */
export function printCurve(curve: Curve): void {
  noteCurve(curve)
  const counts = [...new Set(curve.lines.flatMap(({ points }) => points.map(([jobs]) => jobs)))]
  const cell = (value: number | undefined): string =>
    value === undefined ? '' : `${digits(value)} ${curve.unit}`
  printTable(
    [curve.title, ...counts.map(count => count.toLocaleString('en'))],
    curve.lines.map(({ name, points }) => [name, ...counts.map(count => cell(new Map(points).get(count)))]),
  )
}

/** Three significant digits, in the unit people use. */
export function printTime(ns: number): string {
  for (const [unit, size] of [
    ['s', 1e9],
    ['ms', 1e6],
    ['µs', 1e3],
  ] as const) {
    if (ns >= size) return `${digits(ns / size)} ${unit}`
  }
  return `${digits(ns)} ns`
}

export const printCost = (timing: Timing): string => printTime(median(timing.rounds))

export const printRatio = ({ median, least, most }: Ratio): string =>
  `${digits(median)}× (${digits(least)}–${digits(most)})`

export const digits = (value: number): string =>
  value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2)

/** One line on a target: what was measured, what is wanted, and whether it is met. */
export function printTarget(
  what: string,
  measured: number | Ratio,
  wanted: 'at least' | 'at most',
  limit: number,
  unit: string,
): void {
  const target: Target =
    typeof measured === 'number'
      ? { what, value: measured, wanted, limit, unit }
      : { what, value: measured.median, range: [measured.least, measured.most], wanted, limit, unit }
  noteTarget(target)
  console.log(
    `${isMet(target) ? 'met   ' : 'MISSED'}  ${printMeasured(target)}, wanted ${wanted} ${limit}${unit}`,
  )
}

const printMeasured = ({ what, value, unit }: Target): string => `${what}: ${digits(value)}${unit}`
