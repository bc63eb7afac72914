import type { Problem, ShowProgress } from '@kron/cli'
import type { Fault } from '@kron/core'
import {
  type Calendars,
  type Curves,
  type PathTrust,
  parseJobFile,
  type ReadFile,
  type Sharing,
} from '@kron/host'
import { problemOf } from '../job-files/show-faults.ts'
import type { WarningRule } from './finding.ts'
import { herdWarnings, type LintFleet } from './herd.ts'
import { hostWarnings } from './on-this-host.ts'
import { warningsOf } from './warnings.ts'
import { weightsWarnings } from './weights.ts'

/** One finding about a file; without a line it concerns the whole file. */
export interface FileReport {
  readonly file: string
  readonly readable: boolean
  readonly errors: readonly Problem[]
  readonly warnings: readonly (Problem & { readonly rule: WarningRule; readonly job: string | null })[]
}

export interface LintOptions {
  readonly trust: PathTrust
  readonly at: number
  readonly sharing: Sharing
  readonly calendars: Calendars
  readonly curves: Curves
  /** The fleet that the files are for; undefined: one host. */
  readonly fleet?: LintFleet | undefined
  readonly progress?: ShowProgress
  /** Whether krond reads the file on this host: then programs, directories and users must be here. */
  readonly isUsedHere?: boolean
}

/** All findings about a file that has been read; `path` makes the identities. */
export function reportOf(file: string, path: string, read: ReadFile, options: LintOptions): FileReport {
  if (!read.ok) {
    const { kind, line, column } = read.fault
    const errors = [finding(read.fault, line, column)]
    return { file, readable: kind === 'malformed', errors, warnings: [] }
  }
  const { sharing, calendars, curves, progress, at, fleet } = options
  const { entries, faults } = parseJobFile(read.text, path, {
    sharing,
    ...(progress === undefined ? {} : { progress }),
  })
  const unsafe = options.trust.problemsOf(path, read)
  const missing: Problem[] = []
  const complete = entries.flatMap(entry => {
    const found = calendars.entry(entry)
    if (found.ok) return [curves.entry(found.value)]
    missing.push(finding(found.faults[0]!, entry.line, 1))
    return []
  })
  const warnings = warningsOf(complete, read.text, at, progress)
  return {
    file,
    readable: true,
    errors: [
      ...unsafe.filter(each => each.certain).map(each => finding(each)),
      ...faults.map(problemOf),
      ...missing,
    ],
    warnings: [
      ...unsafe
        .filter(each => !each.certain)
        .map(each => ({ ...finding(each), rule: 'unsafe-file' as const, job: null })),
      ...warnings,
      ...weightsWarnings(complete, read.text, at, curves),
      ...(options.isUsedHere === true ? hostWarnings(complete, read.text) : []),
      ...(fleet === undefined ? [] : herdWarnings(entries, read.text, fleet)),
    ],
  }
}

/** A finding about no part of a line; without a line, about the whole file. */
const finding = (
  { message, hint = '' }: Pick<Fault, 'message' | 'hint'>,
  line: number | null = null,
  column: number | null = null,
): Problem => ({
  line,
  column,
  length: 0,
  message,
  hint,
  source: '',
})
