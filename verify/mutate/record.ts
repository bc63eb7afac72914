import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { currentCommit } from '../reliability/run.ts'
import { type Site, siteName } from './sites.ts'

/** The findings in one source file at its last check. */
export interface FileRecord {
  readonly mutants: number
  readonly noticed: number
  readonly justified: number
  /** Neither noticed by a test nor justified. */
  readonly open: readonly string[]
}

const PATH = fileURLToPath(new URL('../reliability/mutation.json', import.meta.url))

/** By file; `missed` are the places no test noticed. */
export function recordsOf(
  tried: readonly Site[],
  missed: readonly Site[],
  isJustified: (name: string) => boolean,
): Record<string, FileRecord> {
  const records: Record<string, FileRecord> = {}
  for (const [file, sites] of Map.groupBy(tried, site => site.file)) {
    const names = missed.filter(site => site.file === file).map(siteName)
    const open = names.filter(name => !isJustified(name)).sort()
    const [mutants, justified] = [sites.length, names.length - open.length]
    records[file] = { mutants, noticed: mutants - names.length, justified, open }
  }
  return records
}

/** Keeps what earlier runs found in other files. */
export function addToRecord(records: Readonly<Record<string, FileRecord>>): void {
  const before = existsSync(PATH)
    ? (JSON.parse(readFileSync(PATH, 'utf8')) as { files: Record<string, FileRecord> }).files
    : {}
  const files = Object.fromEntries(
    Object.entries({ ...before, ...records }).sort(([a], [b]) => (a < b ? -1 : 1)),
  )
  const commit = currentCommit()
  writeFileSync(PATH, `${JSON.stringify({ date: new Date().toISOString(), commit, files }, null, 2)}\n`)
}
