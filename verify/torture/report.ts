import type { Figures } from './subject.ts'

const clock = (ms: number): string => new Date(ms).toISOString().slice(11, 19)

const print = (figures: Figures): string =>
  Object.entries(figures)
    .filter(([, count]) => count > 0)
    .map(([name, count]) => `${name} ${count}`)
    .join(', ')

export function printProgress(subject: string, elapsed: number, figures: Figures): void {
  console.log(`torture: ${subject} ${clock(elapsed)} ${print(figures)}`)
}

/** A line per figure, a column per subject. */
export function printTable(totals: ReadonlyMap<string, Figures>): void {
  const subjects = [...totals.keys()]
  const rows = [...new Set([...totals.values()].flatMap(figures => Object.keys(figures)))]
  const cells = [
    ['', ...subjects],
    ...rows.map(row => [row, ...subjects.map(subject => String(totals.get(subject)?.[row] ?? '-'))]),
  ]
  const widths = cells[0]!.map((_, column) => Math.max(...cells.map(line => line[column]!.length)))
  for (const [name, ...counts] of cells)
    console.log(
      [name!.padEnd(widths[0]!), ...counts.map((each, i) => each.padStart(widths[i + 1]!))].join('  '),
    )
}
