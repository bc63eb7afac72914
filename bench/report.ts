import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { isMet, type Page, type Target } from './notebook.ts'
import { plotCurve } from './plot.ts'
import { storedPages } from './results.ts'
import { digits } from './table.ts'

const docs = new URL('../docs/', import.meta.url)
const BEGIN = '<!-- written by npm run bench -->\n'
const END = '<!-- end of what npm run bench writes -->\n'

/** Brings the figures and pictures of docs/performance.md up to date with bench/results. */
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

function section({ axis, measured, machine, targets, curves }: Page): string {
  const rows = targets.map(
    target =>
      `| ${escaped(target.what)} | ${value(target)} | ${target.wanted} ${target.limit}${escaped(target.unit)} | ${isMet(target) ? 'met' : '**missed**'} |`,
  )
  const pictures = curves.map(({ title }) => `![${title}](${imageOf(title)})\n`)
  return `### ${axis}\n
Measured ${measured.slice(0, 10)}: ${machine}.\n
| what | measured | wanted | |
|---|---|---|---|
${rows.join('\n')}\n
${pictures.join('\n')}`
}

function value({ value, range, unit }: Target): string {
  const spread = range === undefined ? '' : ` (${digits(range[0])}–${digits(range[1])})`
  return `${digits(value)}${escaped(unit)}${spread}`
}

const escaped = (text: string): string => text.replaceAll('|', '\\|').replaceAll('*', '\\*')

const imageOf = (title: string): string =>
  `images/performance-${title.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}.svg`
