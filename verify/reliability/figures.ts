import type { Json } from './campaigns.ts'

/** The numbers of one record, as Markdown. */
export function section(name: string, record: Json | undefined): string {
  if (record === undefined) return 'No run has been recorded yet.'
  const when = `${String(record['date']).slice(0, 10)}, commit ${String(record['commit'])}`
  const note = typeof record['note'] === 'string' ? `\n\n${record['note']}` : ''
  return `Last recorded ${when}.${note}\n\n${bodyOf(name, record)}`
}

function bodyOf(name: string, record: Json): string {
  if (name.includes('fuzz')) return fuzzTable(record)
  if (name === 'mutation') return mutationTable(record)
  // Intervals of medians do not add up, so this campaign keeps its last run only.
  return plainTable(record, name === 'log-reader' ? 'the last recorded run' : 'total of all recorded runs')
}

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
  readonly commit: string
}

function mutationTable(record: Json): string {
  const files = Object.entries(record['files'] as Readonly<Record<string, Mutated>>)
  const row = (name: string, of: readonly Mutated[], commit = ''): string[] => {
    const sum = (key: 'mutants' | 'noticed' | 'justified'): string =>
      count(of.reduce((total, each) => total + each[key], 0))
    const open = of.reduce((total, each) => total + each.open.length, 0)
    return [name, sum('mutants'), sum('noticed'), sum('justified'), count(open), commit]
  }
  const all = files.map(([, each]) => each)
  return table(
    ['source', 'mutants', 'noticed', 'justified', 'open', 'commit'],
    [
      ...files.map(([name, each]) => row(name.replace('packages/', ''), [each], each.commit)),
      row('**all**', all),
    ],
  )
}

export const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map((_, column) => (column === 0 ? '---' : '---:')), ...rows]
    .map(cells => `| ${cells.join(' | ')} |`.replace(/\| {2}\|/g, '| |'))
    .join('\n')

export const count = (value: number): string => value.toLocaleString('en')

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
