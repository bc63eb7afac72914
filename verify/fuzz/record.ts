import { fileURLToPath } from 'node:url'
import { changeRecord } from '../reliability/record-file.ts'
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

/** Adds a run: executions and failures add up, the rest is as it was found last. */
export function addToRecord(name: string, run: TargetRecord): void {
  const last = { date: new Date().toISOString(), commit: currentCommit() }
  changeRecord<FuzzRecord>(PATH, record => {
    const targets = record?.targets ?? {}
    const before = targets[name]
    const sum: TargetRecord = {
      ...run,
      executions: run.executions + (before?.executions ?? 0),
      crashes: run.crashes + (before?.crashes ?? 0),
      hangs: run.hangs + (before?.hangs ?? 0),
    }
    const sorted = Object.entries({ ...targets, [name]: sum }).sort(([a], [b]) => (a < b ? -1 : 1))
    return { ...last, targets: Object.fromEntries(sorted) }
  })
}
