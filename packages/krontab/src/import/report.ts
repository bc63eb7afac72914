import { printDuration, printInstant, SECOND } from '@kron/core'
import { visible } from '@kron/runtime/cli'
import { type Outlook, outlookDocument } from '../outlook.ts'
import { plural } from '../view/text.ts'
import { COMPARED, type Equivalence } from './equivalence/compare.ts'
import { nameOfOriginal, type Original } from './equivalence/original.ts'
import type { Remark } from './remark.ts'

/** What is said of one imported job. */
export interface ReportedJob {
  readonly name: string
  readonly file: string
  readonly line: number
  readonly schedule: string
  readonly original: Original
  readonly equivalence: Equivalence
}

export interface Suggestion {
  /** Seconds, by name. */
  readonly windows: ReadonlyMap<string, number>
  /** Starts per minute of the busiest minute. */
  readonly peakBefore: number
  readonly peakAfter: number
  readonly outlook: Outlook
}

export interface Report {
  readonly jobs: readonly ReportedJob[]
  readonly remarks: readonly Remark[]
  readonly suggestion: Suggestion | undefined
}

const MOST_SHOWN = 5

export function reportText({ jobs, remarks, suggestion }: Report): string[] {
  const lines = remarks.map(
    ({ file, line, kind, message }) => `${file}${line === 0 ? '' : `:${line}`}: ${kind}: ${visible(message)}`,
  )
  const lost = remarks.filter(({ kind }) => kind === 'lost').length
  lines.push(
    `imported ${plural(jobs.length, 'job')}; ${lost === 0 ? 'nothing is lost' : `${plural(lost, 'thing')} could not be carried over`}`,
  )
  const groups = byDifferences(jobs)
  for (const group of groups) lines.push(...groupText(group))
  if (suggestion !== undefined) lines.push(...suggestionText(suggestion))
  return lines
}

/** Jobs whose differences are the same, together: most are those of a night when the clock changes. */
function byDifferences(jobs: readonly ReportedJob[]): ReportedJob[][] {
  const groups = new Map<string, ReportedJob[]>()
  for (const job of jobs) {
    const key = JSON.stringify([job.original.kind, job.equivalence.differences])
    groups.set(key, [...(groups.get(key) ?? []), job])
  }
  return [...groups.values()].sort(
    ([a], [b]) => a!.equivalence.differences.length - b!.equivalence.differences.length,
  )
}

function groupText(group: readonly ReportedJob[]): string[] {
  const { original, equivalence } = group[0]!
  const { differences } = equivalence
  const who = nameOfOriginal(original)
  if (differences.length === 0) {
    const span = `the next ${COMPARED} starts, and those around the clock changes of a year`
    return [`${plural(group.length, 'job')}: ${span}, are those of ${who}`]
  }
  const names = group.slice(0, MOST_SHOWN).map(({ name }) => name)
  if (group.length > names.length) names.push(`${group.length - names.length} more`)
  const shown = differences.slice(0, MOST_SHOWN).map(({ at, by, because }) => {
    return `  ${printInstant(at)} only ${by === 'kron' ? 'Kron' : who} starts it: ${because}`
  })
  const more = differences.length > MOST_SHOWN ? [`  and ${differences.length - MOST_SHOWN} more`] : []
  return [`${names.join(', ')}: ${plural(differences.length, 'start')} not as with ${who}`, ...shown, ...more]
}

function suggestionText({ windows, peakBefore, peakAfter }: Suggestion): string[] {
  if (windows.size === 0) return ['no windows to suggest: no two jobs start in the same minute']
  return [
    `suggested ${plural(windows.size, 'window')}: the busiest minute has ${plural(peakAfter, 'start')} instead of ${peakBefore}`,
    ...[...windows].map(([name, window]) => `  ${name}: @win(after,${printDuration(window * SECOND)})`),
  ]
}

/** The report as JSON, beside what was made. */
export function reportDocument({ jobs, remarks, suggestion }: Report) {
  return {
    jobs: jobs.map(({ original, equivalence, ...job }) => ({
      ...job,
      original,
      equivalence: {
        compared: equivalence.compared,
        until: printInstant(equivalence.until),
        differences: equivalence.differences.map(each => ({ ...each, at: printInstant(each.at) })),
      },
    })),
    remarks,
    ...(suggestion === undefined
      ? {}
      : {
          suggestion: {
            windows: Object.fromEntries(
              [...suggestion.windows].map(([name, window]) => [name, printDuration(window * SECOND)]),
            ),
            peakBefore: suggestion.peakBefore,
            peakAfter: suggestion.peakAfter,
            forecast: outlookDocument(suggestion.outlook),
          },
        }),
  }
}
