import { fileURLToPath } from 'node:url'
import { changeRecord } from '../reliability/record-file.ts'
import { currentCommit } from '../reliability/run.ts'
import { type Site, siteName } from './sites.ts'

/** The figures of one check of a source file. */
export interface FileFindings {
  readonly mutants: number
  readonly noticed: number
  readonly justified: number
  /** Neither noticed by a test nor justified. */
  readonly open: readonly string[]
}

/** The findings in a source file at its last check, and the commit of that check. */
export interface FileRecord extends FileFindings {
  readonly commit: string
}

export interface MutationRecord {
  readonly date: string
  /** The commit of the last check; earlier ones may have checked other files. */
  readonly commit: string
  readonly files: Readonly<Record<string, FileRecord>>
}

const PATH = fileURLToPath(new URL('../reliability/mutation.json', import.meta.url))

/** By file; `missed` are the places no test noticed. */
export function recordsOf(
  tried: readonly Site[],
  missed: readonly Site[],
  isJustified: (name: string) => boolean,
): Record<string, FileFindings> {
  const records: Record<string, FileFindings> = {}
  for (const [file, sites] of Map.groupBy(tried, site => site.file)) {
    const names = missed.filter(site => site.file === file).map(siteName)
    const open = names.filter(name => !isJustified(name)).sort()
    const [mutants, justified] = [sites.length, names.length - open.length]
    records[file] = { mutants, noticed: mutants - names.length, justified, open }
  }
  return records
}

/** The record after another check: files that it left out keep their findings, and the commit of these. */
export function withFindings(
  before: MutationRecord | undefined,
  found: Readonly<Record<string, FileFindings>>,
  last: { readonly date: string; readonly commit: string },
): MutationRecord {
  const checked = Object.entries(found).map(([file, each]) => [file, { commit: last.commit, ...each }])
  const files = { ...before?.files, ...(Object.fromEntries(checked) as Record<string, FileRecord>) }
  const sorted = Object.entries(files).sort(([a], [b]) => (a < b ? -1 : 1))
  return { ...before, ...last, files: Object.fromEntries(sorted) }
}

export function addToRecord(found: Readonly<Record<string, FileFindings>>): void {
  const last = { date: new Date().toISOString(), commit: currentCommit() }
  changeRecord<MutationRecord>(PATH, before => withFindings(before, found, last))
}
