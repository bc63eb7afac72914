import { next } from '../cron/search.ts'
import { type Decision, decide, triggerOf } from '../decision/decision.ts'
import type { Job } from '../schedule/schedule.ts'
import type { Hash } from '../seed/sha256.ts'
import { isUnderWay, type PeriodAttempt, REPLACE_LIMIT_SECONDS } from './attempt.ts'
import { closedThrough, type Handled, isHandled, markHandled } from './handled.ts'
import { lastClosed, plan } from './plan.ts'
import { judge, lastStart } from './policy.ts'
import { closedUnseen, type UnseenPeriods } from './unseen.ts'

/** One run of a job that has not ended. */
export interface ActiveRun {
  /** Whether it has been told to end. */
  readonly ending: boolean
}

/** Everything that decides what a job does next. Times are whole epoch seconds. */
export interface TurnInput {
  readonly job: Job
  readonly handled: Handled
  /** The periods on their way to an outcome, in any order. */
  readonly attempts: readonly PeriodAttempt[]
  /** The runs of the job that have not ended. */
  readonly active: readonly ActiveRun[]
  /** Whether one more run may begin now; false where a limit on all jobs together is reached. */
  readonly room: boolean
  /**
   * The second at which the job is judged. The caller reads the clock once for all jobs that wake together, so that
   * judging many jobs makes none of them late. To prepare a start, the caller gives the second that is to come.
   */
  readonly now: number
  /** Whether periods may have passed unseen: after downtime, a changed definition, a clock that jumped, a long block. */
  readonly catchingUp: boolean
  /** No run of the job begins before this second, because the last try was refused. */
  readonly notBefore?: number
  /** A faster SHA-256 than core's own. */
  readonly hash?: Hash
}

/** A period that ended without a run. */
export interface TurnOutcome {
  readonly decision: Decision
  readonly outcome: 'missed' | 'skipped' | 'unschedulable'
  readonly reason: 'deadline' | 'superseded' | 'queue' | 'replace' | 'concurrency' | 'constraints'
}

/** The answer: `outcomes` to record, then at most one of `start`, `replace` and `queue` to carry out. */
export interface TurnResult {
  readonly outcomes: readonly TurnOutcome[]
  /** Start this period now: it becomes an `intended` attempt. */
  readonly start?: Decision
  /** End every active run: the period becomes a `replacing` attempt and starts when they are gone. */
  readonly replace?: Decision
  /** There is no room: the period becomes a `queued` attempt. */
  readonly queue?: Decision
  /** The handled periods once `outcomes` are recorded. */
  readonly handled: Handled
  /** Periods that closed before the newest closed one, which is in `outcomes`. They get no outcome of their own. */
  readonly unseen?: UnseenPeriods
  /** When to ask again at the latest, if nothing happens before. */
  readonly wakeAt?: number
}

/** Most jobs have no attempt and nothing superseded: they share these. */
const NO_ATTEMPTS: ReadonlyMap<number, PeriodAttempt> = new Map()
const NONE: ReadonlySet<Decision> = new Set()

type Step = Pick<TurnResult, 'start' | 'replace' | 'queue'>

/**
 * The period machine: what a job does now. krond and kron-operator call it with all they know about one job, carry the
 * answer out, and call it again when something happened: `wakeAt` came, a run started, was refused or ended, a place
 * became free, the definition changed. (The scheduler for Node has a `judge` of its own.) Pure and total: the same input
 * gives the same answer, and no input throws for a job that was parsed.
 *
 * How a period goes:
 *
 *     waiting ── due ──▶ start ────▶ intended ──▶ running           (the caller records `executed`)
 *                 │                     │ certainly refused
 *                 │                     └──▶ retrying ── retryAt ──▶ judged again
 *                 ├── no room ──▶ queued ── a place is free ──▶ judged again
 *                 ├── a run is active, policy `replace` ──▶ replacing ── all runs gone ──▶ start
 *                 └── too late, a run is active, no allowed second ──▶ an outcome without a run
 *
 * - The periods are judged in the order of their due times (`triggerOf`): an unschedulable one counts by the start of its
 *   window. The answer stops at the first one that starts, replaces or queues, so that the next is judged with that
 *   known: carry it out and call again until no step is left.
 * - While `catchingUp`, only the last chosen of the late periods may start; the others are `superseded`.
 * - The deadline of a replacement is judged once, before the active runs are ended. Five minutes after that deadline it is
 *   missed: with reason `replace` if runs are left, with reason `queue` if only room is missing.
 * - A suspended job has no outcomes and no steps.
 */
export function turn(given: TurnInput): TurnResult {
  const { job, handled, now, hash } = given
  if (job.schedule.policy.suspend) return { outcomes: [], handled }
  const attempts =
    given.attempts.length === 0 ? NO_ATTEMPTS : new Map(given.attempts.map(each => [each.nominal, each]))
  const planned = plan(job, handled, now, hash)
  const closed = lastClosed(job, handled, now, hash)
  const periods = inOrder([...planned, ...(closed ? [closed] : []), ...attempted(given, planned, closed)])
  const outcomes: TurnOutcome[] = []
  let step: Step | undefined
  let judged = 0
  const superseded = given.catchingUp ? supersededOf(periods, attempts, given) : NONE
  for (; judged < periods.length; judged++) {
    const decision = periods[judged]!
    if (superseded.has(decision)) {
      outcomes.push({ decision, outcome: 'missed', reason: 'superseded' })
      continue
    }
    const result = judgePeriod(decision, attempts.get(decision.nominal), given)
    if (result === undefined) continue
    if (!('outcome' in result)) {
      step = result
      break
    }
    outcomes.push(result)
  }
  const wakeAt = wakeTime(periods, attempts, given)
  const isNamed = closed !== undefined && outcomes.some(each => each.decision === closed)
  const unseen = isNamed ? closedUnseen(job, handled, closed, nominal => attempts.has(nominal)) : undefined
  return {
    outcomes,
    ...step,
    handled: markOutcomes(given, outcomes, periods.slice(judged), unseen?.passed ?? []),
    ...(unseen && unseen.missed.length > 0 && { unseen: { missed: unseen.missed, more: unseen.more } }),
    ...(wakeAt !== undefined && { wakeAt }),
  }
}

const inOrder = (decisions: Decision[]): Decision[] =>
  decisions.sort((a, b) => triggerOf(a) - triggerOf(b) || a.nominal - b.nominal)

/** The attempted periods that are not in the plan any more, for example because their window is over. */
function attempted(
  { job, handled, attempts, hash }: TurnInput,
  planned: readonly Decision[],
  closed: Decision | undefined,
): Decision[] {
  if (attempts.length === 0) return []
  const known = new Set([...planned, ...(closed ? [closed] : [])].map(each => each.nominal))
  const { cron, zone } = job.schedule
  const missing = new Set(attempts.map(each => each.nominal).filter(each => !known.has(each)))
  return [...missing]
    .filter(nominal => !isHandled(handled, nominal) && next(cron, zone, nominal - 1) === nominal)
    .map(nominal => decide(job, nominal, hash))
}

/**
 * Marks the periods with an outcome and those that passed unseen (`passed`) as handled. The watermark rises
 * over all closed periods, up to the first period that has an open attempt or is not judged yet.
 */
function markOutcomes(
  { job, handled, attempts, now }: TurnInput,
  outcomes: readonly TurnOutcome[],
  unjudged: readonly Decision[],
  passed: readonly number[],
): Handled {
  if (outcomes.length === 0) return handled
  const ended = new Set([...outcomes.map(each => each.decision.nominal), ...passed])
  const begun = attempts.filter(each => each.phase !== 'running')
  const open = [...begun, ...unjudged].map(each => each.nominal).filter(each => !ended.has(each))
  const closed = Math.min(closedThrough(job.schedule, now), ...open.map(each => each - 1))
  const named = outcomes.map(each => each.decision.nominal)
  return markHandled(handled, named, job.schedule, Math.max(handled.through, closed), passed)
}

/** The late periods that may still start, without the last of them. */
function supersededOf(
  periods: readonly Decision[],
  attempts: ReadonlyMap<number, PeriodAttempt>,
  { job, now }: TurnInput,
): ReadonlySet<Decision> {
  const late = periods.filter(({ chosen, nominal }) => {
    if (chosen === null || chosen >= now || now > lastStart(job.schedule.policy, chosen)) return false
    return !isUnderWay(attempts.get(nominal))
  })
  return late.length < 2 ? NONE : new Set(late.slice(0, -1))
}

/** The outcome of a period, the step it takes, or undefined while it waits. */
function judgePeriod(
  decision: Decision,
  attempt: PeriodAttempt | undefined,
  given: TurnInput,
): TurnOutcome | Step | undefined {
  const { job, active, room, now, notBefore = Number.NEGATIVE_INFINITY } = given
  const { policy } = job.schedule
  if (attempt?.phase === 'intended' || attempt?.phase === 'running') return undefined
  const isDue = decision.chosen !== null && decision.chosen <= now
  if (attempt?.phase === 'replacing' && isDue) return judgeReplacement(decision, given)
  const others = given.attempts.some(
    each => each !== attempt && (each.phase === 'intended' || each.phase === 'replacing'),
  )
  const verdict = judge({ decision, policy, handled: false, active: others || active.length > 0, now })
  switch (verdict.kind) {
    case 'alreadyHandled':
    case 'suspended':
    case 'wait':
      return undefined
    case 'unschedulable':
      return { decision, outcome: 'unschedulable', reason: 'constraints' }
    case 'miss':
      return { decision, outcome: 'missed', reason: attempt?.phase === 'queued' ? 'queue' : 'deadline' }
    case 'skip':
      return mayTry(attempt, now) ? { decision, outcome: 'skipped', reason: verdict.reason } : undefined
    case 'replace':
      return mayTry(attempt, now) && now >= notBefore ? { replace: decision } : undefined
    case 'execute':
      if (!mayTry(attempt, now) || now < notBefore) return undefined
      if (room) return { start: decision }
      return attempt?.phase === 'queued' ? undefined : { queue: decision }
  }
}

/** A refused start waits for its next try. */
const mayTry = (attempt: PeriodAttempt | undefined, now: number): boolean =>
  attempt?.phase !== 'retrying' || attempt.retryAt <= now

function judgeReplacement(decision: Decision, given: TurnInput): TurnOutcome | Step | undefined {
  const { active, attempts, room, now, notBefore = Number.NEGATIVE_INFINITY } = given
  const isFree = active.length === 0 && attempts.every(each => each.phase !== 'intended')
  if (now > lastReplacement(decision, given))
    return { decision, outcome: 'missed', reason: isFree && !room ? 'queue' : 'replace' }
  if (active.some(each => !each.ending)) return { replace: decision }
  return isFree && room && now >= notBefore ? { start: decision } : undefined
}

const lastReplacement = (decision: Decision, { job }: TurnInput): number =>
  lastStart(job.schedule.policy, triggerOf(decision)) + REPLACE_LIMIT_SECONDS

/** The first second after now at which the answer can change by itself. */
function wakeTime(
  periods: readonly Decision[],
  attempts: ReadonlyMap<number, PeriodAttempt>,
  given: TurnInput,
): number | undefined {
  const { job, now, notBefore } = given
  const times: number[] = []
  for (const decision of periods) {
    const attempt = attempts.get(decision.nominal)
    const dueTime = triggerOf(decision)
    const tooLate = lastStart(job.schedule.policy, dueTime) + 1
    if (dueTime > now) times.push(dueTime)
    else if (notBefore !== undefined && !isUnderWay(attempt)) times.push(notBefore, tooLate)
    if (attempt?.phase === 'retrying') times.push(attempt.retryAt, tooLate)
    if (attempt?.phase === 'queued') times.push(tooLate)
    if (attempt?.phase === 'replacing') times.push(lastReplacement(decision, given) + 1)
    if (attempt?.phase === 'replacing' && notBefore !== undefined) times.push(notBefore)
  }
  const first = Math.min(...times.filter(each => each > now))
  return first === Number.POSITIVE_INFINITY ? undefined : first
}
