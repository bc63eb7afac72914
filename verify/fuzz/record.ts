import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { currentCommit } from '../reliability/run.ts'

/** The sum of all recorded runs on a parser. */
export interface TargetRecord {
  readonly executions: number
  readonly corpus: number
  readonly branches: number
  readonly ofBranches: number
  readonly crashes: number
  readonly hangs: number
}

export interface FuzzRecord {
  readonly date: string
  readonly commit: string
  readonly targets: Readonly<Record<string, TargetRecord>>
}

const PATH = fileURLToPath(new URL('../reliability/fuzz.json', import.meta.url))

export const readRecord = (): FuzzRecord =>
  existsSync(PATH)
    ? (JSON.parse(readFileSync(PATH, 'utf8')) as FuzzRecord)
    : { date: '', commit: '', targets: {} }

/** Adds a run: executions and failures add up, the rest is as it was found last. */
export function addToRecord(name: string, run: TargetRecord): void {
  const { targets } = readRecord()
  const before = targets[name]
  const sum: TargetRecord = {
    ...run,
    executions: run.executions + (before?.executions ?? 0),
    crashes: run.crashes + (before?.crashes ?? 0),
    hangs: run.hangs + (before?.hangs ?? 0),
  }
  const record: FuzzRecord = {
    date: new Date().toISOString(),
    commit: currentCommit(),
    targets: Object.fromEntries(
      Object.entries({ ...targets, [name]: sum }).sort(([a], [b]) => (a < b ? -1 : 1)),
    ),
  }
  mkdirSync(dirname(PATH), { recursive: true })
  // Renamed, so that a second campaign on other targets never reads a part of it.
  writeFileSync(`${PATH}.new`, `${JSON.stringify(record, null, 2)}\n`)
  renameSync(`${PATH}.new`, PATH)
}
