import { type Decision, decide, OUTCOME_STYLES, outcomeText, printInstant } from '@kron/core'
import type { JobRecord, OutcomeRecord, RunningRecord } from '../api/records.ts'
import { clockText, momentText, spanText, type ZoneName } from '../model/format.ts'
import { secondsOf } from '../model/instant.ts'
import { pauseEffect } from '../model/paused-job.ts'
import { jobOf, periodsIn } from '../model/periods.ts'
import { calendarTimes } from '../model/schedule-files.ts'
import { barOf } from './bar.ts'

/** Windows may overlap; of very many only the first are looked at. */
const MOST_PERIODS = 200

export type Fact = readonly [name: string, value: string]

/** The facts about the point under the pointer, as pairs of name and value. */
export interface Hit {
  readonly title: string
  readonly facts: readonly Fact[]
}

export interface RowFacts {
  readonly job: JobRecord
  readonly outcomes: readonly OutcomeRecord[]
  readonly running: readonly RunningRecord[]
  readonly now: number
}

/** The period at an instant of a row; `reach` is how many seconds beside it still count. */
export function hitAt(
  { job, outcomes, running, now }: RowFacts,
  at: number,
  reach: number,
  zone: ZoneName,
): Hit | undefined {
  const outcome = closest(
    outcomes.filter(each => {
      const { from, to } = barOf(each)
      return at >= from - reach && at <= to + reach
    }),
    each => Math.abs(barOf(each).from - at),
  )
  if (outcome !== undefined) return { title: job.name, facts: outcomeFacts(job, outcome, zone) }
  const execution = running.find(each => at >= (secondsOf(each.startedAt) ?? 0) - reach)
  const period = periodAt(job, at, reach)
  if (
    execution !== undefined &&
    (period === undefined || execution.periodId === printInstant(period.nominal))
  )
    return { title: job.name, facts: runningFacts(job, execution, zone) }
  const calendars = calendarFacts(job, at)
  if (period === undefined) return calendars.length === 0 ? undefined : { title: job.name, facts: calendars }
  const past = (period.chosen ?? period.windowStart) < now
  const facts = [...decisionFacts(period, zone), ...calendars]
  if (past) return { title: job.name, facts: [...facts, ['outcome', 'none is known']] }
  const effect = period.chosen === null ? undefined : pauseEffect(job, period.chosen)
  return { title: job.name, facts: effect === undefined ? facts : [...facts, ['start', effect]] }
}

/** The calendars of the job that name this instant. */
function calendarFacts({ identity, schedule }: JobRecord, at: number): Fact[] {
  const parsed = jobOf(identity, schedule)
  const times = parsed === undefined ? [] : calendarTimes(parsed, at, at)
  const names = [...new Set(times.map(each => each.name))]
  return names.length === 0 ? [] : [['calendar', names.join(', ')]]
}

/** The period chosen closest by, else the one whose window is open. */
function periodAt({ identity, schedule }: JobRecord, at: number, reach: number): Decision | undefined {
  const parsed = jobOf(identity, schedule)
  if (parsed === undefined || parsed.schedule.policy.suspend) return undefined
  const periods = periodsIn(parsed, at - reach, at + reach, MOST_PERIODS)
  const away = ({ chosen }: Decision): number =>
    chosen === null ? Number.POSITIVE_INFINITY : Math.abs(chosen - at)
  const near = closest(
    periods.filter(each => away(each) <= reach),
    away,
  )
  return near ?? periods[0]
}

function closest<T>(all: readonly T[], away: (each: T) => number): T | undefined {
  return all.reduce<T | undefined>(
    (best, each) => (best === undefined || away(each) < away(best) ? each : best),
    undefined,
  )
}

function decisionFacts({ nominal, windowStart, windowEnd, chosen }: Decision, zone: ZoneName): Fact[] {
  return [
    ['nominal', momentText(nominal, zone)],
    ['window', windowText(windowStart, windowEnd, zone)],
    ['chosen', chosen === null ? 'none: unschedulable' : momentText(chosen, zone)],
  ]
}

const windowText = (start: number, end: number, zone: ZoneName): string =>
  `${clockText(start, zone)} – ${clockText(end, zone)} (${spanText(end - start)})`

function outcomeFacts(job: JobRecord, record: OutcomeRecord, zone: ZoneName): Fact[] {
  const { nominalTime, chosenTime, startedAt, completedAt } = record
  const chosen = secondsOf(chosenTime)
  const started = secondsOf(startedAt)
  const completed = secondsOf(completedAt)
  const facts: Fact[] = [[OUTCOME_STYLES[record.kind].word, outcomeText(record)]]
  if (record.example === true) facts.unshift(['example', 'made up for the demonstration; nothing ran'])
  if (started !== undefined) {
    facts.push(['started', momentText(started, zone)])
    if (chosen !== undefined)
      facts.push(['lateness', started > chosen ? spanText(started - chosen) : 'under 1s'])
    if (completed !== undefined)
      facts.push(['ran for', completed > started ? spanText(completed - started) : 'under 1s'])
  }
  return [...facts, ...periodFacts(job, secondsOf(nominalTime), chosen, zone)]
}

function runningFacts(
  job: JobRecord,
  { startedAt, periodId, chosenTime }: RunningRecord,
  zone: ZoneName,
): Fact[] {
  return [
    ['running since', momentText(secondsOf(startedAt) ?? 0, zone)],
    ...periodFacts(job, secondsOf(periodId), secondsOf(chosenTime), zone),
  ]
}

/** The facts about a recorded period, computed from the definition; says so if that was another one then. */
function periodFacts(
  job: JobRecord,
  nominal: number | undefined,
  chosen: number | undefined,
  zone: ZoneName,
): Fact[] {
  if (nominal === undefined) return [['period', 'none: started by hand']]
  const parsed = jobOf(job.identity, job.schedule)
  const decision = parsed === undefined ? undefined : decide(parsed, nominal)
  if (decision !== undefined && (chosen ?? decision.chosen) === decision.chosen)
    return decisionFacts(decision, zone)
  return [
    ['nominal', momentText(nominal, zone)],
    ['window', 'of an earlier definition'],
    ['chosen', chosen === undefined ? 'unknown' : momentText(chosen, zone)],
  ]
}
