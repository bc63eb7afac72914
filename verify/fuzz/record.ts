import { fileURLToPath } from 'node:url'
import { changeRecord } from '../reliability/record-file.ts'
import { currentCommit } from '../reliability/run.ts'

/** The figures of one run on a parser. */
export interface TargetRun {
  readonly executions: number
  readonly corpus: number
  readonly branches: number
  readonly ofBranches: number
  readonly crashes: number
  readonly hangs: number
}

/** The sum of all recorded runs on a parser, and the commits of these runs. */
export interface TargetRecord extends TargetRun {
  readonly commits: readonly string[]
}

export interface FuzzRecord {
  readonly date: string
  /** The commit of the last run; earlier ones may have attacked other parsers. */
  readonly commit: string
  readonly targets: Readonly<Record<string, TargetRecord>>
}

const PATH = fileURLToPath(new URL('../reliability/fuzz.json', import.meta.url))

/** The record after another run: executions and failures add up, the rest is as it was found last. */
export function withRun(
  record: FuzzRecord | undefined,
  name: string,
  run: TargetRun,
  last: { readonly date: string; readonly commit: string },
): FuzzRecord {
  const targets = record?.targets ?? {}
  const before = targets[name]
  const sum: TargetRecord = {
    commits: [...new Set([...(before?.commits ?? []), last.commit])],
    ...run,
    executions: run.executions + (before?.executions ?? 0),
    crashes: run.crashes + (before?.crashes ?? 0),
    hangs: run.hangs + (before?.hangs ?? 0),
  }
  const sorted = Object.entries({ ...targets, [name]: sum }).sort(([a], [b]) => (a < b ? -1 : 1))
  return { ...record, ...last, targets: Object.fromEntries(sorted) }
}

export function addToRecord(name: string, run: TargetRun): void {
  const last = { date: new Date().toISOString(), commit: currentCommit() }
  changeRecord<FuzzRecord>(PATH, record => withRun(record, name, run, last))
}
