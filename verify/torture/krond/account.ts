import { isHandled, parseInstant } from '@kron/core'
import { activeOf, type Entry, type HistoryEntry, handledOf, type State } from '@kron/host'
import { inWords, Once } from '@kron/testkit/once/once'
import { type Settled, unexplained } from './gaps.ts'

export type Wrong = 'duplicates' | 'changedOutcomes' | 'unreadable' | 'lost'

export interface Violation {
  readonly wrong: Wrong
  readonly what: string
}

export interface LogLine {
  readonly time: string
  readonly event: string
  readonly identity?: string
  readonly period_id?: string
  readonly [field: string]: unknown
}

/** The events of a period that are logged only when they are durable. */
const TOLD: Readonly<Record<string, string>> = {
  started: 'executed',
  finished: 'executed',
  skipped_concurrency: 'skipped',
  missed_deadline: 'missed',
  constraint_unsatisfiable: 'unschedulable',
}
/** The events of a period that passed before the daemon could act. */
const EXCUSES: ReadonlySet<string> = new Set(['reschedule', 'queued', 'replaced', 'error'])

const secondsOf = (time: string): number => {
  const instant = parseInstant(time)
  return instant.ok ? instant.value : Number.NaN
}

/** An execution was judged at its chosen time at the earliest; when that really was depends on the machine. */
function decisionTime(entry: HistoryEntry): { readonly earliest: number; readonly latest: number } {
  const completed = secondsOf(entry.CompletedAt)
  if (entry.Outcome !== 'executed') return { earliest: completed, latest: completed }
  const isPresumed = entry.Reason === 'unknown'
  return {
    earliest: secondsOf(entry.ChosenTime),
    latest: isPresumed ? completed : secondsOf(entry.StartedAt ?? ''),
  }
}

/** A statement of a child or the log about a period. */
interface Statement {
  readonly outcome: string
  readonly by: string
}

/** All that is known of one job, from its children, the log and its state. */
class JobAccount {
  hasRun = false
  readonly started = new Set<string>()
  /** Statements of children or the log, by period, that no history has confirmed yet. */
  readonly unconfirmed = new Map<string, Statement>()
  readonly excused = new Set<string>()
  readonly settled = new Map<string, Settled>()
  last: State | undefined
  checkedThrough = Number.NEGATIVE_INFINITY
}

/** The books of one arena: every source is entered, and every contradiction is a violation. */
export class Account {
  readonly violations: Violation[] = []
  /** The entries so far. */
  readonly entered = { executions: 0, outcomes: 0, openIntents: 0, adopted: 0 }
  private readonly once = new Once()
  private readonly jobs = new Map<string, JobAccount>()
  private readonly history: number

  /** `history`: how many entries a state file keeps. */
  constructor(history: number) {
    this.history = history
  }

  /** A line that a child wrote: identity, period, execution id. */
  ran(line: string): void {
    const [identity = '', period = '', execution = ''] = line.split(' ')
    const job = this.job(identity)
    this.entered.executions++
    job.hasRun = true
    const found = this.once.ran(`${identity} ${period}`, execution)
    if (found !== undefined)
      this.wrong(found.kind === 'ran twice' ? 'duplicates' : 'changedOutcomes', inWords(found))
    this.says(identity, period, { outcome: 'executed', by: 'its child' })
  }

  logged({ event, identity, period_id: period, ...fields }: LogLine): void {
    if (event === 'state_corrupt') this.wrong('unreadable', `${identity}: ${fields['moved_to']}`)
    if (event === 'adopted') this.entered.adopted++
    if (identity === undefined || period === undefined || period === '') return
    const job = this.job(identity)
    if (EXCUSES.has(event)) job.excused.add(period)
    const outcome = TOLD[event]
    if (outcome === undefined) return
    if (event === 'started') {
      if (job.started.has(period)) this.wrong('duplicates', `${identity} ${period} was started twice`)
      job.started.add(period)
    }
    this.says(identity, period, { outcome, by: `the log (${event})` })
  }

  unreadable(what: string): void {
    this.wrong('unreadable', what)
  }

  lost(what: string): void {
    this.wrong('lost', what)
  }

  /** The durable state of a job while no daemon runs, after what was written before it has been entered. */
  state(identity: string, state: State | undefined): void {
    const job = this.job(identity)
    if (state !== undefined) this.compare(job, state)
    else if (job.last !== undefined || job.hasRun) this.wrong('lost', `the state of ${identity} is gone`)
    job.last = state ?? job.last
    const executions = state === undefined ? [] : activeOf(state)
    // A daemon that was killed between an intent and its process, or before the process was on record.
    this.entered.openIntents += executions.filter(each => each.StartedAt === '').length
    const active = new Set(executions.map(each => each.PeriodID))
    for (const [period, { outcome, by }] of job.unconfirmed) {
      const settled = job.settled.get(period)
      if (settled === undefined && outcome === 'executed' && active.has(period)) continue
      job.unconfirmed.delete(period)
      if (settled === undefined)
        this.wrong('lost', `${identity} ${period} is ${outcome} by ${by}, and no state knows of it`)
    }
  }

  /** Whether every period that is over has an outcome, or a later one that says why it has none. */
  gaps(entry: Entry): void {
    const job = this.jobs.get(entry.identity)
    if (job?.last === undefined) return
    const known = new Set([...job.excused, ...activeOf(job.last).map(each => each.PeriodID)])
    const firstSeen = secondsOf(job.last.FirstSeen)
    const found = unexplained({
      entry,
      firstSeen,
      settled: job.settled,
      known,
      after: Math.max(job.checkedThrough, firstSeen - 3_600),
    })
    job.checkedThrough = found.through
    for (const period of found.periods)
      this.wrong('lost', `${entry.identity} ${period} has no outcome and no reason`)
  }

  private job(identity: string): JobAccount {
    let job = this.jobs.get(identity)
    if (job !== undefined) return job
    job = new JobAccount()
    this.jobs.set(identity, job)
    return job
  }

  private wrong(wrong: Wrong, what: string): void {
    this.violations.push({ wrong, what })
  }

  private says(identity: string, period: string, statement: Statement): void {
    const { unconfirmed, settled } = this.job(identity)
    const found = this.once.outcome(`${identity} ${period}`, statement.outcome, statement.by)
    if (found !== undefined) this.wrong('changedOutcomes', inWords(found))
    if (!settled.has(period)) unconfirmed.set(period, statement)
  }

  private compare(job: JobAccount, state: State): void {
    const { Identity: identity, History: entries } = state
    const { last } = job
    if (last !== undefined && state.Seq < last.Seq)
      this.wrong('lost', `the state of ${identity} went back from change ${last.Seq} to ${state.Seq}`)
    // The watermark may fall over periods that a wrong clock swept, but never over one with an outcome.
    const handled = handledOf(state)
    for (const period of job.settled.keys())
      if (!isHandled(handled, secondsOf(period)))
        this.wrong('lost', `${identity} ${period} had an outcome and is no longer handled`)
    const periods = new Set(entries.map(each => each.PeriodID))
    if (periods.size < entries.length) this.wrong('changedOutcomes', `${identity} has a period twice`)
    const mayForget = entries.length === this.history
    for (const { PeriodID } of mayForget ? [] : (last?.History ?? []))
      if (!periods.has(PeriodID)) this.wrong('lost', `the outcome of ${identity} ${PeriodID} is gone`)
    for (const entry of entries) this.settle(identity, job, entry)
  }

  private settle(identity: string, job: JobAccount, entry: HistoryEntry): void {
    const { PeriodID: period, Outcome: outcome } = entry
    // A journal and a state file may hold the same entry in another order of its keys.
    const text = JSON.stringify(Object.fromEntries(Object.entries(entry).sort()))
    const before = job.settled.get(period)
    if (before !== undefined) {
      if (before.text !== text)
        this.wrong('changedOutcomes', `${identity} ${period} was ${before.text}, is ${text}`)
      return
    }
    const found = this.once.outcome(`${identity} ${period}`, outcome, 'the state')
    if (found !== undefined) this.wrong('changedOutcomes', inWords(found))
    job.settled.set(period, { outcome, reason: entry.Reason ?? '', ...decisionTime(entry), text })
    this.entered.outcomes++
  }
}
