import type { FuzzRecord } from '../fuzz/record.ts'
import type { MutationRecord } from '../mutate/record.ts'
import type { Deeds } from '../torture/krond/adversary.ts'

export type Json = Readonly<Record<string, unknown>>

/** One number that says how hard a campaign tried, and the number that was wanted. */
export interface Effort {
  readonly unit: string
  readonly count: number
  readonly wanted?: number
}

/** One row of the summary. */
export interface Findings {
  readonly efforts: readonly Effort[]
  /** How often a promise was broken; for the mutation check, how many mistakes no test noticed. */
  readonly broken: number
  /** The commits that were tested, as the record lists them: the oldest need not be the first. */
  readonly commits: readonly string[]
  /** By file, the commit at which it was tested last, of campaigns that keep one for each file. */
  readonly commitOf?: Readonly<Record<string, string>>
}

export interface Campaign {
  readonly title: string
  /** The name of its record in this folder. */
  readonly record: string
  /** Undefined if the record has no run of this campaign. */
  readonly findings: (record: Json) => Findings | undefined
}

/** The campaigns of the present code. */
export const CAMPAIGNS: readonly Campaign[] = [
  simulation('Simulation of krond', 'krond', { years: 10_000, crashes: 1_000_000 }),
  simulation('Simulation of the scheduler', 'scheduler', { years: 5_000 }),
  torture('krond, serve, shims and commands killed', ['krond'], 10_000),
  torture("The scheduler's processes killed, files and SQLite", ['schedulerFile', 'schedulerSqlite']),
  torture("The scheduler's processes killed, PostgreSQL", ['schedulerPostgres'], 1_000),
  torture('Operators killed on a real control plane', ['operator'], 300),
  parts('Damaged files', 'damage', 'flips', 'flipped bits'),
  parts('Wrong clocks', 'clock', 'cases', 'cases'),
  parts('Log readers', 'log-reader', 'starts', 'starts'),
  { title: 'Fuzzing', record: 'fuzz', findings: fuzzing },
  { title: 'Mutation check', record: 'mutation', findings: mutation },
]

interface SimulatedRun {
  readonly part: string
  readonly commit: string
}

function simulation(title: string, part: string, wanted: Readonly<Record<string, number>>): Campaign {
  const findings = (record: Json): Findings | undefined => {
    const runs = ((record['runs'] ?? []) as readonly SimulatedRun[]).filter(each => each.part === part)
    if (runs.length === 0) return undefined
    const efforts = ['years', 'crashes', 'runs'].map(unit => ({
      unit,
      count: sumOf(runs, [unit === 'runs' ? 'executions' : unit]),
      ...(wanted[unit] !== undefined && { wanted: wanted[unit] }),
    }))
    return { efforts, broken: sumOf(runs, BREACHES), commits: [...new Set(runs.map(each => each.commit))] }
  }
  return { title, record: 'simulation', findings }
}

/** kill -9 by victim, as verify/torture records them. */
const KILLS: readonly (keyof Deeds)[] = ['kills', 'serveKills', 'shimKills', 'jobKills']

function torture(title: string, subjects: readonly string[], wanted?: number): Campaign {
  const findings = (record: Json): Findings | undefined => {
    const figures = subjects.flatMap(each => (isObject(record[each]) ? [record[each]] : []))
    if (figures.length === 0) return undefined
    const runs = sumOf(figures, ['executions'])
    return {
      efforts: [
        { unit: 'kills', count: sumOf(figures, KILLS), ...(wanted !== undefined && { wanted }) },
        ...(runs > 0 ? [{ unit: 'runs', count: runs }] : []),
      ],
      broken: sumOf(figures, BREACHES),
      commits: commitsOf(record, subjects),
    }
  }
  return { title, record: 'torture', findings }
}

/** A campaign whose record has one object for each of its parts. */
function parts(title: string, record: string, key: string, unit: string): Campaign {
  const findings = (all: Json): Findings => {
    // Daemons that are late on purpose are no attempts to break a promise.
    const names = Object.keys(all).filter(
      part => isObject(all[part]) && part !== 'commits' && !part.startsWith('control'),
    )
    const figures = names.map(part => all[part])
    const efforts = [{ unit, count: sumOf(figures, [key]) }]
    // A record that is written anew each time has one commit for all parts.
    const commits = 'commits' in all ? commitsOf(all, names) : [String(all['commit'])]
    return { efforts, broken: sumOf(figures, BREACHES), commits }
  }
  return { title, record, findings }
}

/** The commits at which these parts of a record were tested. */
function commitsOf(record: Json, parts: readonly string[]): readonly string[] {
  const commits = (record['commits'] ?? {}) as Readonly<Record<string, readonly string[]>>
  return [...new Set(parts.flatMap(each => commits[each] ?? []))]
}

function fuzzing(record: Json): Findings {
  const targets = Object.values((record as unknown as FuzzRecord).targets)
  return {
    efforts: [
      { unit: 'inputs', count: sumOf(targets, ['executions']), wanted: 100_000_000 },
      { unit: 'parsers', count: targets.length },
    ],
    broken: sumOf(targets, ['crashes', 'hangs']),
    commits: [...new Set(targets.flatMap(each => each.commits))],
  }
}

function mutation(record: Json): Findings {
  const entries = Object.entries((record as unknown as MutationRecord).files)
  const files = entries.map(([, each]) => each)
  return {
    efforts: [{ unit: 'mistakes made on purpose', count: sumOf(files, ['mutants']) }],
    broken: files.reduce((sum, each) => sum + each.open.length, 0),
    commits: [...new Set(files.map(each => each.commit))],
    commitOf: Object.fromEntries(entries.map(([file, { commit }]) => [file, commit])),
  }
}

const BREACHES = [
  ...['duplicates', 'changedOutcomes', 'unreadable', 'unreadableStates', 'lost', 'violations'],
  ...['silent', 'twice', 'problems'],
]

/** The sum of these numbers over all objects. */
const sumOf = (objects: readonly unknown[], keys: readonly string[]): number =>
  objects.reduce<number>(
    (sum, each) => keys.reduce((all, key) => all + Number((each as Json)[key] ?? 0), sum),
    0,
  )

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
