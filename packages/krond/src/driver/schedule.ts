import {
  type Decision,
  type Handled,
  lastStart,
  printInstant,
  type TurnOutcome,
  triggerOf,
  turn,
} from '@kron/core'
import { type Entry, pauseAt } from '@kron/host'
import * as events from '../log/event.ts'
import { attentionAt, isNear, isPlainStart, takeBack } from './ahead.ts'
import { type Attempt, activeRuns, isRunning, mayEnd, periodAttempts } from './attempt.ts'
import { type Moment, secondOf, timeOf } from './moment.ts'
import { outcomesOf, type PeriodOutcome } from './record.ts'
import { LONGEST_BACKOFF_SECONDS, retryTime, schedulingError } from './retry.ts'
import { end, intend } from './run.ts'
import { type DriverState, drop, emit, hasRoom, leaveQueue, record } from './state.ts'

/** At most this many jobs are judged before the event loop continues, so that their starts need not wait for all the others. */
const AT_ONCE = 64
/** For this many seconds, jobs woken by the same alarm are judged at the alarm's time. */
const LONGEST_BURST = 10
/** Smaller movements of the clock are adjustment. */
export const JUMP_MS = 1_000
export const NEVER = Number.POSITIVE_INFINITY

/** The alarm rang: the jobs that are due take their turns. */
export function wake(state: DriverState, now: Moment): void {
  state.hasSlipped = state.hasJumped
  const rangAt = ringTime(state, now)
  for (let left = AT_ONCE; left > 0; left--) {
    const slot = state.due.popDue(rangAt)
    if (slot === undefined) break
    visit(state, slot, rangAt, now, state.hasJumped)
  }
  const next = state.due.nextAt() ?? NEVER
  const isLeft = next <= rangAt
  // Some jobs were looked at half a second early. If their second has come while others were judged, they are judged as
  // of that second, not as of now.
  const isSameSecond = next <= Math.min(Math.ceil(rangAt), timeOf(now))
  state.rangAt = isLeft ? rangAt : isSameSecond ? next : undefined
  if (!isLeft) state.hasJumped = false
  state.isAlarmStale = true
}

/** The time at which due jobs are judged: the alarm's, so that no job misses its deadline because others were judged first. */
function ringTime({ rangAt }: DriverState, now: Moment): number {
  const time = timeOf(now)
  return rangAt !== undefined && time - rangAt <= LONGEST_BURST ? rangAt : time
}

/**
 * Judges everything of one job that is due at `time`, in epoch seconds, carries it out, and notes when the job is due
 * again. Returns the number of runs that it began.
 */
export function visit(
  state: DriverState,
  slot: number,
  time: number,
  now: Moment,
  catchingUp: boolean,
  mostStarts = NEVER,
): number {
  if (state.isStopped) return 0
  state.isAlarmStale = true
  const entry = state.jobs.entry(slot)
  if (entry === undefined || entry.schedule.policy.suspend) {
    state.due.remove(slot)
    return 0
  }
  if (isPaused(state, slot, entry, Math.floor(time))) return 0
  const isResumed = state.paused.delete(slot)
  try {
    return takeTurns(state, slot, entry, time, now, catchingUp || isResumed, mostStarts)
  } catch (error) {
    // After an error nothing is handled, so the same decisions are tried again.
    emit(state, events.failed(schedulingError(error, entry.identity)))
    state.due.set(slot, Math.floor(time) + LONGEST_BACKOFF_SECONDS)
    return 0
  }
}

function isPaused(state: DriverState, slot: number, { identity }: Entry, second: number): boolean {
  const pause = state.pauses.length === 0 ? undefined : pauseAt(state.pauses, identity, second)
  if (pause === undefined) return false
  forget(state, slot)
  state.paused.add(slot)
  if (pause.until !== null) state.due.set(slot, pause.until)
  return true
}

function takeTurns(
  state: DriverState,
  slot: number,
  entry: Entry,
  time: number,
  now: Moment,
  catchingUp: boolean,
  mostStarts: number,
): number {
  const { jobs, due, settings } = state
  const second = Math.floor(time)
  for (let starts = 0; ; ) {
    const attempts = state.attempts.of(slot)
    const { outcomes, start, replace, queue, handled, wakeAt } = turn({
      job: entry,
      handled: jobs.handled(slot),
      attempts: periodAttempts(attempts),
      active: activeRuns(attempts),
      room: starts < mostStarts && hasRoom(state),
      now: second,
      catchingUp,
      hash: settings.hash,
    })
    const isMore = outcomes.length > 0 || (start ?? replace ?? queue) !== undefined
    if (starts > 0 && isMore && time > timeOf(now)) {
      // Ahead of its second only one plain start is prepared; the rest depends on what happens until then.
      due.set(slot, second)
      return starts
    }
    if (outcomes.length > 0) close(state, slot, entry, outcomes, handled, second)
    if (start !== undefined) {
      if (begin(state, attemptAt(state, slot, entry, start, 'execute', second), now)) starts++
    } else if (replace !== undefined) {
      const attempt = attemptAt(state, slot, entry, replace, 'replace', second)
      if (!settings.mayStart()) {
        // A run is not ended for a start that cannot be recorded.
        enqueue(state, attempt)
        due.set(slot, second + 1)
        return starts
      }
      leaveQueue(state, attempt)
      if (attempt.stage.phase !== 'replacing')
        state.attempts.move(attempt, { phase: 'replacing', offsetMs: now.offsetMs })
      endRuns(state, slot)
    } else if (queue !== undefined) {
      enqueue(state, attemptAt(state, slot, entry, queue, 'execute', second))
    } else {
      queueFreeReplacement(state, slot)
      if (wakeAt === undefined) due.remove(slot)
      else if (isNear(wakeAt, time) && (wakeAt <= timeOf(now) || isPlainStart(state, slot, entry, wakeAt)))
        return starts + takeTurns(state, slot, entry, wakeAt, now, false, mostStarts - starts)
      else due.set(slot, attentionAt(wakeAt, time))
      return starts
    }
  }
}

/** The attempt at a period; the decision of a new one is reported. */
function attemptAt(
  state: DriverState,
  slot: number,
  entry: Entry,
  decision: Decision,
  verdict: string,
  second: number,
): Attempt {
  const open = state.attempts.open(slot, decision.nominal)
  if (open === undefined) reportDecision(state, decision)
  reportVerdict(state, decision, verdict, second)
  const cause = { kind: 'period', nominal: decision.nominal, decision } as const
  return open ?? state.attempts.add(slot, entry, cause, { phase: 'queued' })
}

export function reportDecision(state: DriverState, decision: Decision): void {
  emit(state, events.decisionMade(decision))
  if (state.settings.debug) for (const step of events.decisionSteps(decision)) emit(state, step)
}

function reportVerdict(state: DriverState, decision: Decision, verdict: string, second: number): void {
  if (state.settings.debug) emit(state, events.triggered(decision, verdict, second - triggerOf(decision)))
}

const VERDICTS = { missed: 'miss', skipped: 'skip', unschedulable: 'unschedulable' } as const

/**
 * Records periods that ended without a run: one record for each attempted period, and one for all the others together.
 * Only the last record carries the new watermark: after it, the state counts the periods of all of them as handled.
 */
function close(
  state: DriverState,
  slot: number,
  entry: Entry,
  outcomes: readonly TurnOutcome[],
  handled: Handled,
  second: number,
): void {
  const attempted: PeriodOutcome[][] = []
  const unseen: PeriodOutcome[] = []
  const inOrder = outcomes.toSorted((a, b) => a.decision.nominal - b.decision.nominal)
  for (const { decision, outcome, reason } of inOrder) {
    const open = state.attempts.open(slot, decision.nominal)
    if (open === undefined) reportDecision(state, decision)
    else drop(state, open)
    reportVerdict(state, decision, VERDICTS[outcome], second)
    const refusal = outcome === 'missed' ? open?.refusal : undefined
    const period = { decision, outcome, reason: refusal ?? reason }
    if (open === undefined) unseen.push(period)
    else attempted.push([period])
  }
  const before = state.jobs.handled(slot)
  state.jobs.setHandled(slot, handled)
  const groups = unseen.length === 0 ? attempted : [...attempted, unseen]
  for (const periods of groups) {
    const event = outcomesOf(periods, second, periods === groups.at(-1) ? handled : before)
    record(state, slot, entry.identity, event, { step: 'notExecuted', periods })
  }
}

/** False if the clock was set, or the machine slept, while the attempt waited for the runs that it replaces. */
function begin(state: DriverState, attempt: Attempt, now: Moment): boolean {
  const { stage } = attempt
  // Waiting does not make an attempt late, but a jump of the clock meanwhile makes it late or early.
  if (stage.phase === 'replacing' && Math.abs(now.offsetMs - stage.offsetMs) > JUMP_MS) {
    retry(state, attempt, now)
    return false
  }
  intend(state, attempt, now)
  return true
}

function enqueue(state: DriverState, attempt: Attempt): void {
  if (state.waiting.includes(attempt)) return
  state.waiting.push(attempt)
  if (attempt.stage.phase !== 'replacing') state.attempts.move(attempt, { phase: 'queued' })
  const { cause } = attempt
  if (cause.kind === 'period') emit(state, events.queued(cause.decision!, state.waiting.length))
}

/** A replacement whose old runs are gone waits for a place like any other start. */
function queueFreeReplacement(state: DriverState, slot: number): void {
  const attempts = state.attempts.of(slot)
  if (attempts.some(({ stage: { phase } }) => phase === 'running' || phase === 'intended')) return
  const next = attempts.find(({ stage, cause }) => stage.phase === 'replacing' && cause.kind === 'period')
  if (next !== undefined && !hasRoom(state)) enqueue(state, next)
}

/** Tells every run of the job to end, because a new one takes its place. */
export function endRuns(state: DriverState, slot: number): void {
  for (const each of state.attempts.of(slot)) {
    if (!isRunning(each) || !mayEnd(each.stage)) continue
    emit(state, events.replaced(each.stage.execution))
    end(state, each, 'replaced')
  }
}

/** The attempt certainly did not start: it is judged again after a growing back-off, until it is missed after its deadline. */
export function retry(state: DriverState, attempt: Attempt, now: Moment): void {
  const { slot, cause, entry } = attempt
  const second = secondOf(now)
  if (cause.kind === 'manual') return drop(state, attempt)
  if (state.isStopped || state.jobs.entry(slot) !== entry) {
    drop(state, attempt)
    return void visit(state, slot, timeOf(now), now, true)
  }
  const decision = cause.decision!
  const retryAt = retryTime(attempt.tries, second, lastStart(entry.schedule.policy, decision.chosen!))
  leaveQueue(state, attempt)
  state.attempts.move(attempt, { phase: 'retrying', retryAt })
  attempt.tries += 1
  emit(state, events.rescheduled(decision, printInstant(retryAt), attempt.tries))
  state.due.set(slot, Math.min(state.due.at(slot) ?? NEVER, retryAt))
  state.isAlarmStale = true
}

/** The definition has changed, is gone, or is paused: attempts that have not begun are judged again, taken back or dropped. */
export function forget(state: DriverState, slot: number): void {
  state.due.remove(slot)
  for (const each of state.attempts.of(slot)) {
    const { phase } = each.stage
    takeBack(state, each)
    if (each.cause.kind === 'period' && phase !== 'intended' && phase !== 'running') drop(state, each)
  }
}

/** Gives the free places to the attempts that wait for one. */
export function fillPlaces(state: DriverState, now: Moment): void {
  while (!state.isStopped && state.waiting.length > 0 && hasRoom(state)) {
    const attempt = state.waiting[0]!
    const starts = visit(state, attempt.slot, timeOf(now), now, state.hasSlipped, 1)
    // Its time has not come yet: it is judged again when it comes.
    if (starts === 0 && state.waiting[0] === attempt) drop(state, attempt)
  }
}
