/** Writes the figures of `verify/reliability/*.json` into docs/reliability.md: `npm run verify -- reliability`. */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const PAGE = fileURLToPath(new URL('../../docs/reliability.md', import.meta.url))
const BEGIN = '<!-- figures: written by verify/reliability -->'
const END = '<!-- end of figures -->'

type Json = Readonly<Record<string, unknown>>

/** The title of each campaign on the page, by the name of its record. */
const CAMPAIGNS = [
  ['simulation', 'Simulation'],
  ['torture', 'Real processes, disks and databases'],
  ['fuzz', 'Fuzzing'],
  ['mutation', 'Mutation check'],
] as const

export function readRecord(name: string): Json | undefined {
  const path = fileURLToPath(new URL(`${name}.json`, import.meta.url))
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Json) : undefined
}

/** The page with its figures replaced. */
export function withFigures(page: string, read: (name: string) => Json | undefined): string {
  const [before, after] = [page.indexOf(BEGIN) + BEGIN.length, page.indexOf(END)]
  const parts = CAMPAIGNS.map(([name, title]) => `### ${title}\n\n${section(name, read(name))}`)
  return `${page.slice(0, before)}\n\n${parts.join('\n\n')}\n\n${page.slice(after)}`
}

function section(name: string, record: Json | undefined): string {
  if (record === undefined) return 'No run has been recorded yet.'
  const when = `${String(record['date']).slice(0, 10)}, commit ${String(record['commit'])}`
  const body =
    name === 'fuzz' ? fuzzTable(record) : name === 'mutation' ? mutation(record) : plainTable(record)
  return `Last recorded ${when}.\n\n${body}`
}

/** A row per number; numbers within an object, such as faults by kind, share one. */
function plainTable(record: Json): string {
  const rows = Object.entries(record).flatMap(([key, value]): [string, string][] => {
    if (typeof value === 'number') return [[words(key), count(value)]]
    if (key === 'seeds' && Array.isArray(value)) return [['seeds', value.join(' to ')]]
    return isCounts(value) ? [[words(key), counts(value)]] : []
  })
  return table(['', 'total of all recorded runs'], rows)
}

interface Attacked {
  readonly executions: number
  readonly branches: number
  readonly corpus: number
  readonly crashes: number
  readonly hangs: number
}

function fuzzTable(record: Json): string {
  const targets = Object.entries(record['targets'] as Readonly<Record<string, Attacked>>)
  const total = (key: keyof Attacked): string => count(targets.reduce((sum, [, each]) => sum + each[key], 0))
  const row = (name: string, of: (key: keyof Attacked) => string): string[] => [
    name,
    of('executions'),
    of('branches'),
    of('corpus'),
    of('crashes'),
    of('hangs'),
  ]
  return table(
    ['parser', 'executions', 'branches taken', 'kept inputs', 'crashes', 'hangs'],
    [...targets.map(([name, each]) => row(name, key => count(each[key]))), row('**all**', total)],
  )
}

interface Mutated {
  readonly mutants: number
  readonly noticed: number
  readonly justified: number
  readonly open: readonly string[]
}

function mutation(record: Json): string {
  const files = Object.entries(record['files'] as Readonly<Record<string, Mutated>>)
  const row = (name: string, of: readonly Mutated[]): string[] => {
    const sum = (key: 'mutants' | 'noticed' | 'justified'): string =>
      count(of.reduce((total, each) => total + each[key], 0))
    const open = of.reduce((total, each) => total + each.open.length, 0)
    return [name, sum('mutants'), sum('noticed'), sum('justified'), count(open)]
  }
  return table(
    ['source', 'mutants', 'noticed', 'justified', 'open'],
    [
      ...files.map(([name, each]) => row(name.replace('packages/', ''), [each])),
      row(
        '**all**',
        files.map(([, each]) => each),
      ),
    ],
  )
}

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map((_, column) => (column === 0 ? '---' : '---:')), ...rows]
    .map(cells => `| ${cells.join(' | ')} |`.replace(/\| {2}\|/g, '| |'))
    .join('\n')

const count = (value: number): string => value.toLocaleString('en')
const words = (key: string): string => key.replace(/[A-Z]/g, letter => ` ${letter.toLowerCase()}`)
const counts = (value: Readonly<Record<string, number>>): string =>
  Object.entries(value)
    .map(([key, each]) => `${words(key)} ${count(each)}`)
    .join(', ')

const isCounts = (value: unknown): value is Readonly<Record<string, number>> =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  Object.values(value).every(each => typeof each === 'number')

/** The commit of a record; `+` marks uncommitted changes. */
export function currentCommit(): string {
  const git = (...words: string[]): string => execFileSync('git', words, { encoding: 'utf8' }).trim()
  return `${git('rev-parse', '--short', 'HEAD')}${git('status', '--porcelain') === '' ? '' : '+'}`
}

export const readPage = (): string => readFileSync(PAGE, 'utf8')
export const writePage = (): void => writeFileSync(PAGE, withFigures(readPage(), readRecord))

if (import.meta.main) writePage()
