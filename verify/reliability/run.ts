/** Writes the figures of `verify/reliability/*.json` into docs/reliability.md and docs/reliability/figures.md: `npm run verify -- reliability`. */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Deeds } from '../torture/krond/adversary.ts'

const docs = new URL('../../docs/', import.meta.url)
const BEGIN = '<!-- figures: written by verify/reliability -->'
const END = '<!-- end of figures -->'

type Json = Readonly<Record<string, unknown>>

type Read = (name: string) => Json | undefined

/** The title of each campaign, by the name of its record. */
export const CAMPAIGNS = [
  ['simulation', 'Simulation'],
  ['torture', 'Real processes, disks and databases'],
  ['damage', 'Damage'],
  ['clock', 'Wrong clocks'],
  ['log-reader', 'Log readers'],
  ['fuzz', 'Fuzzing'],
  ['mutation', 'Mutation check'],
  ['archive/simulation-5a9e014', 'Simulation of krond, before the repairs that a review led to'],
  ['archive/simulation-3fe0e48', 'Simulation of the scheduler, before its starts became cheaper'],
  ['archive/torture-3fe0e48', 'Real processes and databases, before the repairs that a review led to'],
  ['archive/fuzz-9ed3263', 'Fuzzing, before its words for schedules were corrected'],
  [
    'archive/simulation-6b1a51d',
    'Simulation of the scheduler, before two repairs (seed 2531, a violation and a duplicate, was an error of the witness)',
  ],
  ['archive/simulation-98d7186', 'Simulation, before the repairs that followed'],
  [
    'archive/simulation-9b1c519',
    'Simulation of krond, before two repairs (its one violation, seed 8740, was an error of the harness)',
  ],
  ['archive/fuzz-6b1a51d', 'Fuzzing, before its two findings were repaired'],
  ['archive/simulation-before-prepared-starts', 'Simulation of krond, before starts were prepared'],
  ['archive/simulation-before-shim', 'Simulation, before `kron-shim`'],
  ['archive/torture-before-shim', 'Real processes, disks and databases, before `kron-shim`'],
  ['archive/fuzz-before-shim', 'Fuzzing, before `kron-shim`'],
] as const

/** The pages with figures, by their paths in docs, and the text of their marked part. */
export const PAGES: Readonly<Record<string, (read: Read) => string>> = {
  'reliability.md': summary,
  'reliability/figures.md': read =>
    CAMPAIGNS.map(([name, title]) => `## ${title}\n\n${section(name, read(name))}`).join('\n\n'),
}

export function readRecord(name: string): Json | undefined {
  const path = fileURLToPath(new URL(`${name}.json`, import.meta.url))
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Json) : undefined
}

/** The page with this text as its marked part. */
export function filled(page: string, text: string): string {
  const [before, after] = [page.indexOf(BEGIN) + BEGIN.length, page.indexOf(END)]
  return `${page.slice(0, before)}\n\n${text}\n\n${page.slice(after)}`
}

/** One line for each campaign: the numbers that say how hard it tried, and how often a promise was broken. */
function summary(read: Read): string {
  const rows = CAMPAIGNS.map(([name, title]) => {
    const record = read(name)
    if (record === undefined) return [title, 'no run recorded yet', '', '']
    return [title, effort(name, record), broken(name, record), String(record['commit'])]
  })
  return table(['campaign', 'tried', 'promises broken', 'last commit'], rows)
}

const numberOf = (of: unknown, key: string): number =>
  Number((of as Readonly<Record<string, unknown>> | undefined)?.[key] ?? 0)

function effort(name: string, record: Json): string {
  if (name.includes('simulation'))
    return `${count(numberOf(record, 'years'))} years, ${count(numberOf(record, 'crashes'))} crashes, ${count(numberOf(record, 'executions'))} runs`
  if (name.includes('torture')) {
    return `${count(totalOf(record, KILLS))} kills, ${count(totalOf(record, ['executions']))} runs`
  }
  if (name === 'damage') return `${count(totalOf(record, ['flips']))} flipped bits`
  if (name === 'clock')
    return `${count(totalOf(record, ['cases']))} cases, ${count(totalOf(record, ['executions']))} runs`
  if (name === 'log-reader') return `${count(totalOf(withoutControls(record), ['starts']))} starts`
  if (name.includes('fuzz')) {
    const targets = Object.values(record['targets'] as Readonly<Record<string, Attacked>>)
    return `${count(targets.reduce((sum, each) => sum + each.executions, 0))} inputs for ${targets.length} parsers`
  }
  const files = Object.values(record['files'] as Readonly<Record<string, Mutated>>)
  return `${count(files.reduce((sum, each) => sum + each.mutants, 0))} mistakes made on purpose`
}

/** kill -9 by victim, as verify/torture records them. */
const KILLS: readonly (keyof Deeds)[] = ['kills', 'serveKills', 'shimKills', 'jobKills']

/** Daemons that are late on purpose are no attempts to break a promise. */
const withoutControls = (record: Json): Json =>
  Object.fromEntries(Object.entries(record).filter(([part]) => !part.startsWith('control')))

const BREACHES = [
  ...['duplicates', 'changedOutcomes', 'unreadable', 'unreadableStates', 'lost', 'violations'],
  ...['silent', 'twice', 'problems'],
]

function broken(name: string, record: Json): string {
  if (name.includes('fuzz')) {
    const targets = Object.values(record['targets'] as Readonly<Record<string, Attacked>>)
    return count(targets.reduce((sum, each) => sum + each.crashes + each.hangs, 0))
  }
  if (name === 'mutation') {
    const files = Object.values(record['files'] as Readonly<Record<string, Mutated>>)
    return `${count(files.reduce((sum, each) => sum + each.open.length, 0))} unnoticed`
  }
  return count(totalOf(name.includes('simulation') ? { record } : record, BREACHES))
}

/** The sum of these numbers over all parts of a record. */
const totalOf = (parts: Json, keys: readonly string[]): number =>
  Object.values(parts).reduce<number>(
    (sum, part) => keys.reduce((all, key) => all + (isObject(part) ? numberOf(part, key) : 0), sum),
    0,
  )

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

function section(name: string, record: Json | undefined): string {
  if (record === undefined) return 'No run has been recorded yet.'
  const when = `${String(record['date']).slice(0, 10)}, commit ${String(record['commit'])}`
  const body = name.includes('fuzz')
    ? fuzzTable(record)
    : name === 'mutation'
      ? mutation(record)
      : plainTable(
          record,
          OVERWRITTEN.includes(name) ? 'the last recorded run' : 'total of all recorded runs',
        )
  const note = typeof record['note'] === 'string' ? `\n\n${record['note']}` : ''
  return `Last recorded ${when}.${note}\n\n${body}`
}

/** Campaigns whose record has only the last run: intervals of medians do not add up. */
const OVERWRITTEN: readonly string[] = ['log-reader']

/** A row per number; numbers within an object, such as faults by kind, share one. */
function plainTable(record: Json, heading: string): string {
  const rows = Object.entries(record).flatMap(([key, value]): [string, string][] => {
    if (typeof value === 'number') return [[words(key), count(value)]]
    if (key === 'seeds' && Array.isArray(value)) return [['seeds', value.join(' to ')]]
    return isCounts(value) ? [[words(key), counts(value)]] : []
  })
  return table(['', heading], rows)
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

/** A campaign writes these itself. */
const WRITTEN = [
  'verify/reliability/*.json*',
  'verify/fuzz/corpus',
  'docs/reliability.md',
  'docs/reliability/figures.md',
]

/** The commit of a record; `+` marks uncommitted changes. */
export function currentCommit(): string {
  const git = (...words: string[]): string => execFileSync('git', words, { encoding: 'utf8' }).trim()
  const others = WRITTEN.map(path => `:(top,exclude)${path}`)
  const isChanged = git('status', '--porcelain', '--', ':(top)', ...others) !== ''
  return `${git('rev-parse', '--short', 'HEAD')}${isChanged ? '+' : ''}`
}

export const readPage = (path: string): string => readFileSync(new URL(path, docs), 'utf8')

export function writePage(): void {
  for (const [path, text] of Object.entries(PAGES))
    writeFileSync(new URL(path, docs), filled(readPage(path), text(readRecord)))
}

if (import.meta.main) writePage()
