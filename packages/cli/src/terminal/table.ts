import type { Paint } from './style.ts'
import { columns, cut, padEnd, padStart } from './text.ts'

export interface Column {
  readonly title: string
  readonly align?: 'left' | 'right'
  /** Where the table is too wide, the column may be cut down to this; its cells are plain text then. */
  readonly least?: number
  /** Where even that is too wide, it may be left out. */
  readonly optional?: boolean
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
  const widths = heads.map((head, i) =>
    rows.reduce((most, row) => Math.max(most, columns(row[i] ?? '')), columns(head.title)),
  )
  let excess = widths.reduce((sum, each) => sum + each, GAP * (heads.length - 1)) - width
  const shrink = (i: number, to: number): void => {
    const given = Math.min(excess, widths[i]! - to)
    widths[i]! -= given
    excess -= given
  }
  const flexible = [...heads.keys()].filter(i => heads[i]!.least !== undefined).reverse()
  for (const i of flexible) {
    if (excess > 0) shrink(i, Math.min(widths[i]!, Math.max(heads[i]!.least!, columns(heads[i]!.title))))
  }
  for (const i of flexible) {
    if (excess > 0 && heads[i]!.optional === true) {
      excess -= widths[i]! + GAP
      widths[i] = LEFT_OUT
    }
  }
  return widths
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
