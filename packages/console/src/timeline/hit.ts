import type { Decision } from '@kron/core'
import type { JobRecord, OutcomeRecord, RunningRecord } from '../api/records.ts'
import { clockText, momentText, spanText, type ZoneName } from '../model/format.ts'
import { secondsOf } from '../model/instant.ts'
import { appearanceOf, LABELS, reasonText } from '../model/outcome.ts'
import { barOf } from './draw.ts'
import type { RowPlan } from './row-cache.ts'

/** What is under the pointer: facts as pairs of name and value. */
export interface Hit {
  readonly title: string
  readonly facts: readonly (readonly [string, string])[]
}

export interface RowFacts {
  readonly job: JobRecord
  readonly plan: RowPlan | undefined
  readonly outcomes: readonly OutcomeRecord[]
  readonly running: readonly RunningRecord[]
}

/** The period at an instant of a row; `reach` is how many seconds beside it still count. */
export function hitAt(
  { job, plan, outcomes, running }: RowFacts,
  at: number,
  reach: number,
  zone: ZoneName,
): Hit | undefined {
  const period = nearest(plan?.periods ?? [], at, reach)
  const outcome = outcomes.find(each => {
    const { from, to } = barOf(each)
    return at >= from - reach && at <= to + reach
  })
  const running1 = running.find(each => at >= (secondsOf(each.startedAt) ?? 0) - reach)
  if (outcome !== undefined)
    return {
      title: job.name,
      facts: [...outcomeFacts(outcome, zone), ...planFacts(planOf(plan, outcome.periodId), zone)],
    }
  if (running1 !== undefined && period === undefined)
    return {
      title: job.name,
      facts: [['running since', momentText(secondsOf(running1.startedAt) ?? 0, zone)]],
    }
  return period === undefined ? undefined : { title: job.name, facts: planFacts(period, zone) }
}

const planOf = (plan: RowPlan | undefined, periodId: string): Decision | undefined => {
  const nominal = secondsOf(periodId)
  return plan?.periods.find(each => each.nominal === nominal)
}

/** The period chosen closest by, else the one whose window is open. */
function nearest(periods: readonly Decision[], at: number, reach: number): Decision | undefined {
  const near = periods.filter(({ chosen }) => chosen !== null && Math.abs(chosen - at) <= reach)
  near.sort((a, b) => Math.abs(a.chosen! - at) - Math.abs(b.chosen! - at))
  return near[0] ?? periods.find(each => at >= each.windowStart - reach && at <= each.windowEnd + reach)
}

export function planFacts(period: Decision | undefined, zone: ZoneName): [string, string][] {
  if (period === undefined) return []
  const { nominal, windowStart, windowEnd, chosen } = period
  return [
    ['nominal', momentText(nominal, zone)],
    [
      'window',
      `${clockText(windowStart, zone)} – ${clockText(windowEnd, zone)} (${spanText(windowEnd - windowStart)})`,
    ],
    ['chosen', chosen === null ? 'none: unschedulable' : momentText(chosen, zone)],
  ]
}

function outcomeFacts(record: OutcomeRecord, zone: ZoneName): [string, string][] {
  const chosen = secondsOf(record.chosenTime)
  const started = secondsOf(record.startedAt)
  const completed = secondsOf(record.completedAt)
  const facts: [string, string][] = [[LABELS[appearanceOf(record)], reasonText(record)]]
  if (started !== undefined) {
    facts.push(['started', momentText(started, zone)])
    if (chosen !== undefined)
      facts.push(['lateness', started > chosen ? spanText(started - chosen) : 'under 1s'])
    if (completed !== undefined)
      facts.push(['ran for', completed > started ? spanText(completed - started) : 'under 1s'])
  }
  return facts
}
