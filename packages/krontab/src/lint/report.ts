import type { Problem } from '@kron/cli'
import {
  type Calendars,
  type Curves,
  type PathTrust,
  parseJobFile,
  type ReadFile,
  type SafetyProblem,
  type Sharing,
} from '@kron/host'
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
  readonly progress?: (done: number, total: number) => void
  /** Whether krond reads the file on this host: then programs, directories and users must be here. */
  readonly isUsedHere?: boolean
}

/** All findings about a file that has been read; `path` makes the identities. */
export function reportOf(file: string, path: string, read: ReadFile, options: LintOptions): FileReport {
  if (!read.ok) {
    const { kind, message, hint, line = null, column = null } = read.fault
    const problem = { line, column, length: 0, message, hint, source: '' }
    return { file, readable: kind === 'malformed', errors: [problem], warnings: [] }
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
    const { message, hint = '' } = found.faults[0]!
    missing.push({ line: entry.line, column: 1, length: 0, message, hint, source: '' })
    return []
  })
  const warnings = warningsOf(complete, read.text, at, progress)
  return {
    file,
    readable: true,
    errors: [
      ...unsafe.filter(each => each.certain).map(wholeFile),
      ...faults.map(({ at: offset, line, length, message, hint = '', source }) => ({
        line,
        column: offset + 1,
        length,
        message,
        hint,
        source,
      })),
      ...missing,
    ],
    warnings: [
      ...unsafe
        .filter(each => !each.certain)
        .map(each => ({ ...wholeFile(each), rule: 'unsafe-file' as const, job: null })),
      ...warnings,
      ...weightsWarnings(complete, read.text, at, curves),
      ...(options.isUsedHere === true ? hostWarnings(complete, read.text) : []),
      ...(fleet === undefined ? [] : herdWarnings(entries, read.text, fleet)),
    ],
  }
}

const wholeFile = ({ message, hint }: SafetyProblem): Problem => ({
  line: null,
  column: null,
  length: 0,
  message,
  hint,
  source: '',
})
