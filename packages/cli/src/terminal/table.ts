import type { Paint } from './style.ts'
import { columns, cut, padEnd, padStart } from './text.ts'

export interface Column {
  readonly title: string
  readonly align?: 'left' | 'right'
  /** Where the table is too wide, the column may be cut down to this; its cells are plain text then. */
  readonly least?: number
  /** Where even that is too wide, columns with this number are left out, the lowest first, until the rest fits. */
  readonly leaveOut?: number
  readonly paint?: Paint
}

const GAP = 2
const LEFT_OUT = -1
const plain: Paint = text => text

/** Rows under their titles, in columns as wide as they must be; trailing blanks are left out. */
export function table(
  heads: readonly Column[],
  rows: readonly (readonly string[])[],
  width = Number.POSITIVE_INFINITY,
  paintTitle: Paint = plain,
): string[] {
  const widths = fitted(heads, rows, width)
  const line = (cells: readonly string[], paintOf: (head: Column) => Paint): string =>
    heads
      .flatMap((head, i) => {
        const width = widths[i]!
        if (width < 0) return []
        return (head.align === 'right' ? padStart : padEnd)(paintOf(head)(cut(cells[i] ?? '', width)), width)
      })
      .join(' '.repeat(GAP))
      .trimEnd()
  const titles = heads.map(head => head.title)
  return [paintTitle(line(titles, () => plain)), ...rows.map(row => line(row, head => head.paint ?? plain))]
}

function fitted(heads: readonly Column[], rows: readonly (readonly string[])[], width: number): number[] {
  const natural = heads.map((head, i) =>
    rows.reduce((most, row) => Math.max(most, columns(row[i] ?? '')), columns(head.title)),
  )
  const dispensable = [...heads.keys()]
    .filter(i => heads[i]!.leaveOut !== undefined)
    .sort((a, b) => heads[a]!.leaveOut! - heads[b]!.leaveOut!)
  let widths = natural
  for (let count = 0; count <= dispensable.length; count++) {
    const leftOut = new Set(dispensable.slice(0, count))
    widths = shrunk(
      heads,
      natural.map((each, i) => (leftOut.has(i) ? LEFT_OUT : each)),
      width,
    )
    if (widthOf(widths) <= width) break
  }
  return widths
}

/** The widths, with columns cut that may be cut, the last first, as far as the table is too wide. */
function shrunk(heads: readonly Column[], widths: readonly number[], width: number): number[] {
  const result = [...widths]
  for (const i of [...heads.keys()].reverse()) {
    const { least, title } = heads[i]!
    const excess = widthOf(result) - width
    if (least === undefined || result[i] === LEFT_OUT || excess <= 0) continue
    const smallest = Math.min(result[i]!, Math.max(least, columns(title)))
    result[i] = Math.max(smallest, result[i]! - excess)
  }
  return result
}

function widthOf(widths: readonly number[]): number {
  const shown = widths.filter(each => each !== LEFT_OUT)
  return shown.reduce((sum, each) => sum + each, GAP * (shown.length - 1))
}

/** `label  value` lines with the values in one column; a value may have several lines. */
export function facts(
  rows: readonly (readonly [label: string, value: string | readonly string[]])[],
  paint = (t: string) => t,
): string[] {
  const width = Math.max(...rows.map(([label]) => columns(label)))
  return rows.flatMap(([label, value]) => {
    const lines = typeof value === 'string' ? [value] : value
    return lines.map((line, i) => `${padEnd(i === 0 ? paint(label) : '', width)}  ${line}`.trimEnd())
  })
}

export const indent = (lines: readonly string[], by = 2): string[] =>
  lines.map(line => (line === '' ? '' : ' '.repeat(by) + line))
