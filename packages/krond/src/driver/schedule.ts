import { lastStart, printInstant, turn } from '@kron/core'
import { type Entry, pauseAt } from '@kron/host'
import * as events from '../log/event.ts'
import { mayPrepare, takeBack } from './ahead.ts'
import { type Attempt, isRunning, mayEnd } from './attempt.ts'
import {
  alarmOutdated,
  dueJobsCatchUp,
  judgingTime,
  movementSince,
  rang,
  waitingAttemptsCatchUp,
} from './clock-state.ts'
import { judgedSecond, type Look, turnInput } from './look.ts'
import { type Moment, secondOf, timeOf } from './moment.ts'
import { LONGEST_BACKOFF_SECONDS, retryTime, schedulingError } from './retry.ts'
import { end, intend } from './run.ts'
import { type DriverState, drop, emit, hasRoom, leaveQueue, restUntil } from './state.ts'
import { stepOf } from './step.ts'
import { attemptAt, close } from './verdict.ts'

/** At most this many jobs are judged before the event loop continues, so that their starts need not wait for all the others. */
const AT_ONCE = 64
const NEVER = Number.POSITIVE_INFINITY

/** The alarm rang: the jobs that are due take their turns. */
export function wake(state: DriverState, now: Moment): void {
  const time = judgingTime(state.clock, now)
  const catchingUp = dueJobsCatchUp(state.clock)
  for (let left = AT_ONCE; left > 0; left--) {
    const slot = state.due.popDue(time)
    if (slot === undefined) break
    visit(state, slot, now, { time, catchingUp })
  }
  state.clock = rang(state.clock, time, state.due.nextAt(), now)
}

/**
 * Judges everything of one job that is due, carries it out, and notes when the job is due again. Returns the number of
 * runs that it began.
 */
export function visit(
  state: DriverState,
  slot: number,
  now: Moment,
  { time = timeOf(now), catchingUp = false, mostStarts = NEVER }: VisitOptions = {},
): number {
  if (state.isStopped || state.lookups.has(slot)) return 0
  state.clock = alarmOutdated(state.clock)
  const entry = state.jobs.entry(slot)
  if (entry === undefined || entry.schedule.policy.suspend) {
    state.due.remove(slot)
    return 0
  }
  if (restsWhilePaused(state, slot, entry, Math.floor(time))) return 0
  const isResumed = state.paused.delete(slot)
  try {
    const mustCatchUp = catchingUp || isResumed
    return takeTurns(state, { slot, entry, time, now, isAhead: false, catchingUp: mustCatchUp, mostStarts })
  } catch (error) {
    // After an error nothing is handled, so the same decisions are tried again.
    emit(state, events.failed(schedulingError(error, entry.identity)))
    state.due.set(slot, Math.floor(time) + LONGEST_BACKOFF_SECONDS)
    return 0
  }
}

/** Absent: the job is judged as of now, nothing has passed unseen, and any number of runs may begin. */
type VisitOptions = Partial<Pick<Look, 'time' | 'catchingUp' | 'mostStarts'>>

/** If the job is paused, its attempts that have not begun are forgotten, and it rests until the pause ends. */
function restsWhilePaused(state: DriverState, slot: number, { identity }: Entry, second: number): boolean {
  const pause = state.pauses.length === 0 ? undefined : pauseAt(state.pauses, identity, second)
  if (pause === undefined) return false
  forget(state, slot)
  state.paused.add(slot)
  if (pause.until !== null) state.due.set(slot, pause.until)
  return true
}

/**
 * The order of steps, until the job rests:
 *
 * 1. `turn` says what the job does as of the time of the look. Ahead of its second, only a plain start goes on from here.
 * 2. The periods that end without a run are recorded.
 * 3. If a period starts, replaces the active runs or waits for a place, that is carried out, and `turn` is asked again.
 * 4. Otherwise nothing is left to do. If the next second of the job is near, it is judged in the same way, ahead of it if
 *    it has not come yet. Otherwise the job rests.
 */
function takeTurns(state: DriverState, given: Look): number {
  const { slot, now } = given
  let look = given
  for (let starts = 0; ; ) {
    const answer = turn(turnInput(state, look, starts))
    const step = stepOf(answer, look, starts)
    if (answer.outcomes.length > 0 && step.kind !== 'tooEarly') close(state, look, answer)
    switch (step.kind) {
      case 'tooEarly':
        restUntil(state, slot, look.time)
        return starts
      case 'start': {
        const attempt = attemptAt(state, look, step.decision, step.kind)
        if (hasJumpedMeanwhile(attempt, now)) retry(state, attempt, now)
        else {
          intend(state, attempt, now)
          starts++
        }
        break
      }
      case 'replace': {
        const attempt = attemptAt(state, look, step.decision, step.kind)
        if (!state.settings.mayStart()) {
          // A run is not ended for a start that cannot be recorded.
          enqueue(state, attempt)
          restUntil(state, slot, judgedSecond(look) + 1)
          return starts
        }
        replaceRuns(state, attempt, now)
        break
      }
      case 'queue':
        enqueue(state, attemptAt(state, look, step.decision, step.kind))
        break
      case 'judgeNext': {
        const { second, isAhead } = step
        queueFreeReplacement(state, slot)
        if (isAhead && !mayPrepare(state, look, second)) {
          restUntil(state, slot, second)
          return starts
        }
        look = { ...look, time: second, isAhead, catchingUp: false }
        break
      }
      case 'rest':
        queueFreeReplacement(state, slot)
        restUntil(state, slot, step.until)
        return starts
    }
  }
}

/**
 * Whether the clock was set, or the machine slept, while the attempt waited for the runs that it replaces. Waiting does
 * not make an attempt late, but a jump of the clock makes it late or early.
 */
const hasJumpedMeanwhile = ({ stage }: Attempt, now: Moment): boolean =>
  stage.phase === 'replacing' && movementSince(stage.offsetMs, now) !== 'none'

function enqueue(state: DriverState, attempt: Attempt): void {
  if (state.waiting.includes(attempt)) return
  state.waiting.push(attempt)
  if (attempt.stage.phase !== 'replacing') state.attempts.move(attempt, { phase: 'queued' })
  const { cause } = attempt
  if (cause.kind === 'period') {
    // Without room on the disk, a free place would not help.
    const reason = state.settings.mayStart() ? 'max_concurrent' : 'disk'
    emit(state, events.queued(cause.decision!, state.waiting.length, reason))
  }
}

/** A replacement whose old runs are gone waits for a place like any other start. */
function queueFreeReplacement(state: DriverState, slot: number): void {
  const attempts = state.attempts.of(slot)
  if (attempts.some(({ stage: { phase } }) => phase === 'running' || phase === 'intended')) return
  const next = attempts.find(({ stage, cause }) => stage.phase === 'replacing' && cause.kind === 'period')
  if (next !== undefined && !hasRoom(state)) enqueue(state, next)
}

/** The active runs are told to end; the attempt waits until they are gone. */
function replaceRuns(state: DriverState, attempt: Attempt, { offsetMs }: Moment): void {
  leaveQueue(state, attempt)
  if (attempt.stage.phase !== 'replacing') state.attempts.move(attempt, { phase: 'replacing', offsetMs })
  endRuns(state, attempt.slot)
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
    return void visit(state, slot, now, { catchingUp: true })
  }
  const decision = cause.decision!
  const retryAt = retryTime(attempt.tries, second, lastStart(entry.schedule.policy, decision.chosen!))
  leaveQueue(state, attempt)
  state.attempts.move(attempt, { phase: 'retrying', retryAt })
  attempt.tries += 1
  emit(state, events.rescheduled(decision, printInstant(retryAt), attempt.tries))
  state.due.set(slot, Math.min(state.due.at(slot) ?? NEVER, retryAt))
  state.clock = alarmOutdated(state.clock)
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
    const starts = visit(state, attempt.slot, now, {
      catchingUp: waitingAttemptsCatchUp(state.clock),
      mostStarts: 1,
    })
    // Its time has not come yet: it is judged again when it comes.
    if (starts === 0 && state.waiting[0] === attempt) drop(state, attempt)
  }
}
