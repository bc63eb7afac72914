import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { changeRecord } from '../reliability/record-file.ts'
import type { Figures } from './subject.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
export const RECORD = `${root}verify/reliability/torture.json`

/** The figures of all campaigns so far, by subject, and when and on which commit the last one added to them. */
export type TortureRecord = {
  readonly date: string
  readonly commit: string
  /** The commits that were tested, by subject. */
  readonly commits: Readonly<Record<string, readonly string[]>>
} & {
  readonly [subject: string]: Figures | string | Readonly<Record<string, readonly string[]>>
}

export const sum = (a: Figures, b: Figures): Figures =>
  Object.fromEntries(
    [...new Set([...Object.keys(a), ...Object.keys(b)])].map(key => [key, (a[key] ?? 0) + (b[key] ?? 0)]),
  )

export function addTo(
  record: Partial<TortureRecord>,
  subject: string,
  figures: Figures,
): Partial<TortureRecord> {
  const before = record[subject]
  return { ...record, [subject]: sum(typeof before === 'object' ? (before as Figures) : {}, figures) }
}

/** Adds figures to the file, so that a campaign that is cut short keeps what it has shown. */
export function addToFile(path: string, subject: string, figures: Figures): void {
  const last = { date: new Date().toISOString(), commit: commit() }
  changeRecord<Partial<TortureRecord>>(path, (record = {}) => {
    const { date: _, commit: __, commits = {}, ...before } = record
    const tested = [...new Set([...(commits[subject] ?? []), last.commit])]
    return { ...addTo(before, subject, figures), ...last, commits: { ...commits, [subject]: tested } }
  })
}

function commit(): string {
  try {
    return execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: root, encoding: 'utf8' }).trim()
  } catch {
    return 'unknown'
  }
}
