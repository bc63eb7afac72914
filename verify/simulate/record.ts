import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { add, emptyReport, type Part, type Report, YEAR } from './report.ts'

/** One campaign on a part, as it is kept. */
export interface Run {
  readonly id: string
  readonly part: Part
  readonly date: string
  readonly commit: string
  readonly years: number
  readonly crashes: number
  readonly executions: number
  readonly faults: Readonly<Record<string, number>>
  readonly duplicates: number
  readonly changedOutcomes: number
  readonly unreadableStates: number
  readonly violations: number
  /** The first seed and the last. */
  readonly seeds: readonly [number, number]
  readonly durationMinutes: number
}

export interface RunDetails {
  readonly id: string
  readonly part: Part
  readonly seeds: readonly [number, number]
  readonly minutes: number
}

/** The campaign runs the code that was there at its start. */
const COMMIT = commit()

const round = (value: number): number => Math.round(value * 100) / 100

export function runOf(report: Report, { id, part, seeds, minutes }: RunDetails): Run {
  const { crashes, executions, faults, duplicates, changedOutcomes, unreadableStates, violations } = report
  return {
    id,
    part,
    date: new Date().toISOString(),
    commit: COMMIT,
    years: round(report.seconds / YEAR),
    crashes,
    executions,
    faults,
    duplicates,
    changedOutcomes,
    unreadableStates,
    violations,
    seeds,
    durationMinutes: round(minutes),
  }
}

/** The runs that are on record. */
export function readRuns(path: string): readonly Run[] {
  try {
    return (JSON.parse(readFileSync(path, 'utf8')) as { runs: Run[] }).runs
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}

/** Puts runs on record, in place of what was recorded under the same ids, with the totals of all. */
export function record(path: string, fresh: readonly Run[]): void {
  const ids = new Set(fresh.map(each => each.id))
  const runs = [...readRuns(path).filter(each => !ids.has(each.id)), ...fresh]
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(`${path}.new`, `${JSON.stringify({ ...totals(runs), runs }, null, 2)}\n`)
  renameSync(`${path}.new`, path)
}

function totals(runs: readonly Run[]): object {
  const total = emptyReport()
  for (const run of runs) add(total, { ...run, faults: { ...run.faults }, seconds: run.years * YEAR })
  const newest = runs.reduce((a, b) => (a.date > b.date ? a : b))
  const { seconds, faults, ...counts } = total
  return {
    date: newest.date,
    commit: newest.commit,
    years: round(seconds / YEAR),
    ...counts,
    faults,
    seeds: [Math.min(...runs.map(each => each.seeds[0])), Math.max(...runs.map(each => each.seeds[1]))],
    durationMinutes: round(runs.reduce((sum, each) => sum + each.durationMinutes, 0)),
  }
}

function commit(): string {
  try {
    const git = (...args: string[]): string => execFileSync('git', args, { encoding: 'utf8' }).trim()
    return git('rev-parse', '--short', 'HEAD') + (git('status', '--porcelain', 'packages') === '' ? '' : '+')
  } catch {
    return 'unknown'
  }
}
