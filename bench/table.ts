import { median, type Ratio, type Timing } from './measure.ts'

/** Columns as wide as they need to be; the first to the left, the others to the right. */
export function printTable(header: readonly string[], rows: readonly (readonly string[])[]): void {
  const widths = header.map((title, i) => Math.max(title.length, ...rows.map(row => row[i]!.length)))
  const line = (cells: readonly string[]): string =>
    cells.map((cell, i) => (i === 0 ? cell.padEnd(widths[i]!) : cell.padStart(widths[i]!))).join('  ')
  console.log(line(header))
  console.log(widths.map(width => '-'.repeat(width)).join('  '))
  for (const row of rows) console.log(line(row))
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
  value: number,
  wanted: 'at least' | 'at most',
  limit: number,
  unit: string,
): void {
  const met = wanted === 'at least' ? value >= limit : value <= limit
  console.log(
    `${met ? 'met   ' : 'MISSED'}  ${what}: ${digits(value)}${unit}, wanted ${wanted} ${limit}${unit}`,
  )
}
