import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { isMet, type Page, type Target } from './notebook.ts'
import { plotCurve } from './plot.ts'
import { storedPages } from './results.ts'
import { digits } from './table.ts'

const docs = new URL('../../docs/', import.meta.url)
const BEGIN = '<!-- written by verify/bench -->\n'
const END = '<!-- end of the part verify/bench writes -->\n'

/** The figures that tell most about each axis; the summary shows them. A pattern is for a number that can be chosen. */
const HEADLINES: Readonly<Record<string, readonly (string | RegExp)[]>> = {
  engine: [
    'next from a random instant, croner, least',
    'next from a random instant, cron-schedule, least',
    'decide, uniform',
  ],
  krond: [
    'sooner than cron, p50',
    'start lateness p50',
    'start lateness p99',
    'start lateness p50 beside bare C',
    'start lateness p99 beyond bare C',
    'last of 1,000 in one second',
    'RSS with 100,000 jobs',
    'start with 100,000 jobs and their states',
  ],
  operator: [/^p99 of \d+ KronJobs in a minute$/, 'API requests per started Job'],
  scheduler: ['registering 100,000', 'last of 100,000 starts', 'memory a task', 'durable starts'],
}

/** The pictures of the summary, by the title of their curves. */
const PICTURES = [
  'krond by number of jobs',
  'krond memory by number of jobs',
  'krontab by number of jobs',
  'krontab, memory by number of jobs',
]

/** The pages that show the results, by their paths in docs, with the text of their marked part. */
export function reports(pages: readonly Page[]): Map<string, string> {
  const texts = new Map(pages.map(page => [`performance/${page.axis}.md`, section(page)]))
  return texts.set('performance.md', summary(pages))
}

/** Brings the figures and pictures of docs/performance.md and docs/performance/ up to date with verify/bench/results. */
export function writeReport(): void {
  const pages = storedPages()
  mkdirSync(new URL('images/', docs), { recursive: true })
  for (const curve of pages.flatMap(page => page.curves))
    writeFileSync(new URL(imageOf(curve.title), docs), plotCurve(curve))
  for (const [path, text] of reports(pages)) {
    const page = new URL(path, docs)
    writeFileSync(page, filled(readFileSync(page, 'utf8'), text))
  }
}

/** The page with this text as its marked part. */
export function filled(page: string, text: string): string {
  const [before, rest] = split(page, BEGIN)
  const [, after] = split(rest, END)
  return `${before}${BEGIN}\n${text}\n${END}${after}`
}

function split(text: string, mark: string): [before: string, after: string] {
  const at = text.indexOf(mark)
  if (at < 0) throw new Error(`the page lacks the line ${mark}`)
  return [text.slice(0, at), text.slice(at + mark.length)]
}

/** One row for each headline, and for each axis how many of its targets are met. */
function summary(pages: readonly Page[]): string {
  const headlines = pages.flatMap(({ axis, targets }) =>
    (HEADLINES[axis] ?? []).map(what => {
      const target = targets.find(each =>
        typeof what === 'string' ? each.what === what : what.test(each.what),
      )
      if (target === undefined) throw new Error(`${axis} has no target ${what}`)
      return [axis, ...rowOf(target)]
    }),
  )
  const axes = pages.map(({ axis, measured, targets }) => [
    `[${axis}](performance/${axis}.md)`,
    measured.slice(0, 10),
    targets.length === 0 ? 'no targets' : `${targets.filter(isMet).length} of ${targets.length}`,
    targets
      .filter(target => !isMet(target))
      .map(({ what }) => what)
      .join('; '),
  ])
  const titles = new Set(pages.flatMap(page => page.curves.map(({ title }) => title)))
  const pictures = PICTURES.filter(title => titles.has(title)).map(
    title => `![${title}](${imageOf(title)})\n`,
  )
  return [
    tableOf(['', 'what', 'measured', 'wanted', ''], headlines),
    tableOf(['all tables', 'measured', 'targets met', 'missed'], axes),
    ...pictures,
  ].join('\n')
}

function section({ measured, machine, targets, tables, curves }: Page): string {
  const parts = [
    `Measured ${measured.slice(0, 10)}: ${machine}.\n`,
    ...(targets.length === 0 ? [] : [tableOf(['what', 'measured', 'wanted', ''], targets.map(rowOf))]),
    ...tables.map(({ header, rows }) => tableOf(header, rows)),
    ...curves.map(({ title }) => `![${title}](../${imageOf(title)})\n`),
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
