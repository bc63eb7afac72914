import { columns, padEnd, padStart } from './text.ts'

export interface Column {
  readonly title: string
  readonly align?: 'left' | 'right'
}

/** Rows under their titles, in columns as wide as they must be; trailing blanks are left out. */
export function table(
  heads: readonly Column[],
  rows: readonly (readonly string[])[],
  paintTitle = (t: string) => t,
): string[] {
  const widths = heads.map((head, i) =>
    Math.max(columns(head.title), ...rows.map(row => columns(row[i] ?? ''))),
  )
  const line = (cells: readonly string[]): string =>
    heads
      .map((head, i) => (head.align === 'right' ? padStart : padEnd)(cells[i] ?? '', widths[i]!))
      .join('  ')
      .trimEnd()
  return [paintTitle(line(heads.map(head => head.title))), ...rows.map(line)]
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
