import { comparisonText, plural, type Remark, remarkText } from '@kron/cli'
import { type Equivalence, printDuration, printInstant, SECOND } from '@kron/core'
import { type Outlook, outlookDocument } from '../forecast/outlook.ts'
import { conditionsText } from './conditions-text.ts'
import type { ConditionDifference } from './equivalence/conditions.ts'
import { nameOfOriginal, type Original } from './equivalence/original.ts'

/** The report on one imported job. */
export interface ReportedJob {
  readonly name: string
  readonly file: string
  readonly line: number
  readonly schedule: string
  readonly original: Original
  readonly equivalence: Equivalence
  readonly conditions: readonly ConditionDifference[]
}

export interface Suggestion {
  /** Windows in seconds, by name. */
  readonly windows: ReadonlyMap<string, number>
  /** The number of starts in the busiest minute. */
  readonly peakBefore: number
  readonly peakAfter: number
  readonly outlook: Outlook
}

export interface Report {
  readonly jobs: readonly ReportedJob[]
  readonly remarks: readonly Remark[]
  readonly suggestion: Suggestion | undefined
}

export function reportText({ jobs, remarks, suggestion }: Report): string[] {
  const lines = remarks.map(remarkText)
  const lost = remarks.filter(({ kind }) => kind === 'lost').length
  lines.push(
    `imported ${plural(jobs.length, 'job')}; ${lost === 0 ? 'nothing is lost' : `${plural(lost, 'thing')} could not be carried over`}`,
  )
  lines.push(
    ...comparisonText(
      jobs.map(({ name, original, equivalence }) => ({ name, who: nameOfOriginal(original), equivalence })),
    ),
  )
  lines.push(...conditionsText(jobs))
  if (suggestion !== undefined) lines.push(...suggestionText(suggestion))
  return lines
}

function suggestionText({ windows, peakBefore, peakAfter }: Suggestion): string[] {
  if (windows.size === 0) return ['no windows to suggest: no two jobs start in the same minute']
  return [
    `suggested ${plural(windows.size, 'window')}: the busiest minute has ${plural(peakAfter, 'start')} instead of ${peakBefore}`,
    ...[...windows].map(([name, window]) => `  ${name}: @win(after,${printDuration(window * SECOND)})`),
  ]
}

/** The report as JSON; without a suggestion the field is left out. */
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
    suggestion: suggestion && {
      windows: Object.fromEntries(
        [...suggestion.windows].map(([name, window]) => [name, printDuration(window * SECOND)]),
      ),
      peakBefore: suggestion.peakBefore,
      peakAfter: suggestion.peakAfter,
      forecast: outlookDocument(suggestion.outlook),
    },
  }
}
