import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { isMet, type Page, type Target } from './notebook.ts'
import { plotCurve } from './plot.ts'
import { storedPages } from './results.ts'
import { digits } from './table.ts'

const docs = new URL('../../docs/', import.meta.url)
const BEGIN = '<!-- written by verify/bench -->\n'
const END = '<!-- end of the part verify/bench writes -->\n'

/** Brings the figures and pictures of docs/performance.md up to date with verify/bench/results. */
export function writeReport(): void {
  const pages = storedPages()
  mkdirSync(new URL('images/', docs), { recursive: true })
  for (const curve of pages.flatMap(page => page.curves))
    writeFileSync(new URL(imageOf(curve.title), docs), plotCurve(curve))
  const page = new URL('performance.md', docs)
  writeFileSync(page, filled(readFileSync(page, 'utf8'), pages))
}

/** The text with its marked part made from the results. */
export function filled(text: string, pages: readonly Page[]): string {
  const [before, rest] = split(text, BEGIN)
  const [, after] = split(rest, END)
  return `${before}${BEGIN}\n${pages.map(section).join('\n')}\n${END}${after}`
}

function split(text: string, mark: string): [before: string, after: string] {
  const at = text.indexOf(mark)
  if (at < 0) throw new Error(`docs/performance.md lacks the line ${mark}`)
  return [text.slice(0, at), text.slice(at + mark.length)]
}

function section({ axis, measured, machine, targets, tables, curves }: Page): string {
  const parts = [
    `### ${axis}\n\nMeasured ${measured.slice(0, 10)}: ${machine}.\n`,
    ...(targets.length === 0 ? [] : [tableOf(['what', 'measured', 'wanted', ''], targets.map(rowOf))]),
    ...tables.map(({ header, rows }) => tableOf(header, rows)),
    ...curves.map(({ title }) => `![${title}](${imageOf(title)})\n`),
  ]
  return parts.join('\n')
}

function rowOf(target: Target): readonly string[] {
  const wanted = `${target.wanted} ${target.limit.toLocaleString('en')}${target.unit}`
  return [target.what, value(target), wanted, isMet(target) ? 'met' : 'missed']
}

function tableOf(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.map(escaped).join(' | ')} |`
  return [line(header), `|${'---|'.repeat(header.length)}`, ...rows.map(line), ''].join('\n')
}

function value({ value, range, unit }: Target): string {
  const spread = range === undefined ? '' : ` (${digits(range[0])}–${digits(range[1])})`
  return `${digits(value)}${unit}${spread}`
}

const escaped = (text: string): string => text.replaceAll('|', '\\|').replaceAll('*', '\\*')

const imageOf = (title: string): string =>
  `images/performance-${title.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}.svg`
