import {
  closedThrough,
  ExecutionError,
  type Handled,
  type KronError,
  lastStart,
  markHandled,
  printInstant,
} from '@kron/core'
import { claimName, manualClaimName } from '@kron/host'
import type { ExecutedAnswer, StartAnswer, StartRequest } from '../effects/ports.ts'
import * as events from '../log/event.ts'
import { type Attempt, isRunning, nominalOf, type RunningAttempt, type RunningStage } from './attempt.ts'
import type { Message } from './effect.ts'
import { durationOf, type Ending, type EndingReason, type Execution, UNSEEN } from './execution.ts'
import { isNear } from './lead.ts'
import { type Moment, secondOf, timeOf } from './moment.ts'
import { chosenOf, endOf, intentOf, startOf, withdrawalOf } from './record.ts'
import { type DriverState, drop, emit, leaveQueue, record } from './state.ts'

/** The command may start for this many seconds after the judgement, even if the deadline ends before. */
const LONGEST_START_SECONDS = 10
const NANOSECONDS_PER_MS = 1_000_000
const LONGEST_TIMER_MS = 2 ** 31 - 1
/** The time for SIGKILL and the report of it. */
export const KILL_PATIENCE_MS = 7_000

/*
 * The write-ahead sequence of a run, each step durable before the next:
 *
 *     intend ── stored ──▶ start ── started ──▶ record the start ── stored ──▶ running
 *                            │                                                   │ exited
 *                            ├─ refused ──▶ withdraw the intent                  ▼
 *                            └─ cancelled ──▶ the same                    record the end ── stored ──▶ gone
 */

/** Records the intent. The command waits until the intent is durable and, if it is prepared ahead, for the chosen second. */
export function intend(state: DriverState, attempt: Attempt, now: Moment): void {
  const { settings, attempts } = state
  const { schedule } = attempt.entry
  const executionId = settings.newId()
  const last = Math.max(lastStart(schedule.policy, chosenOf(attempt)), secondOf(now) + LONGEST_START_SECONDS)
  leaveQueue(state, attempt)
  const isAhead = isNear(chosenOf(attempt), timeOf(now))
  attempts.move(attempt, { phase: 'intended', executionId, lastStart: last, hold: isAhead ? 'held' : 'no' })
  const intent = intentOf(attempt, executionId, now, settings)
  record(state, attempt.slot, attempt.entry.identity, intent, { step: 'intended', attempt })
}

/** The intent is durable: the command may be executed. */
export function start(state: DriverState, attempt: Attempt, now: Moment): void {
  const { stage, entry, cause } = attempt
  if (stage.phase !== 'intended') return
  const chosen = chosenOf(attempt)
  const isFarAgain = chosen > timeOf(now) && !isNear(chosen, timeOf(now)) // the clock was set back meanwhile
  if (stage.hold === 'takenBack' || (stage.hold === 'held' && isFarAgain))
    return cancelled(state, attempt, now)
  const common = {
    entry,
    executionId: stage.executionId,
    ...(stage.hold === 'held' && { notBefore: chosen }),
    lastStart: stage.lastStart,
    chosen,
  }
  const request: StartRequest =
    cause.kind === 'period'
      ? { ...common, claim: claimName(entry.identity, cause.nominal), nominal: cause.nominal }
      : { ...common, claim: manualClaimName(entry.identity, cause.request.requestId), manual: cause.request }
  state.effects.push({ kind: 'start', attempt, request })
}

/** The command was executed, or may have been. */
export function started(state: DriverState, attempt: Attempt, answer: ExecutedAnswer, now: Moment): void {
  const { stage, slot, entry, cause } = attempt
  if (stage.phase !== 'intended') return
  reportUnusualStart(state, attempt, answer)
  const { run, over, startedAt } = createdBy(answer, now)
  const execution: Execution = {
    id: stage.executionId,
    slot,
    entry,
    periodId: cause.kind === 'period' ? printInstant(cause.nominal) : '',
    ...(cause.kind === 'manual' ? { user: cause.request.user } : {}),
    chosenTime: printInstant(chosenOf(attempt)),
    seedHash: cause.kind === 'period' ? (cause.decision?.seedHash ?? '') : '',
    pid: run?.pid ?? 0,
    processStart: run?.processStart ?? 0,
    shimPid: run?.shimPid ?? 0,
    startedAt,
    adopted: false,
  }
  const handled = markPeriodHandled(state, attempt, chosenOf(attempt))
  const running = follow(state, attempt, { execution, run, ...(over === undefined ? {} : { over }) }, now)
  record(state, slot, entry.identity, startOf(execution, handled), { step: 'started', attempt: running })
}

function createdBy(
  answer: ExecutedAnswer,
  now: Moment,
): { readonly run?: RunningStage['run']; readonly over?: Ending; readonly startedAt: number } {
  const trace = answer.kind === 'already' ? answer.trace : undefined
  const run = answer.kind === 'started' ? answer.run : trace?.kind === 'running' ? trace.run : undefined
  if (run !== undefined) return { run, startedAt: run.startedAt }
  return trace?.kind === 'ended'
    ? { over: trace.ending, startedAt: trace.startedAt }
    : { over: UNSEEN, startedAt: now.wallMs }
}

function reportUnusualStart(state: DriverState, { cause }: Attempt, answer: StartAnswer): void {
  if (cause.kind !== 'period' || cause.decision === undefined) return
  if (answer.kind === 'unknown') emit(state, events.failed(answer.error, cause.decision))
  if (answer.kind === 'already') emit(state, events.claimedBefore(cause.decision, answer.trace.kind))
}

/**
 * Marks the attempt's period as handled. The watermark takes in this period and the handled ones that follow it, and
 * periods without an outcome only if they were closed at `lookedAt`: `turn` has not judged later ones. It never passes a
 * period with an open attempt. A manual run handles nothing.
 */
export function markPeriodHandled(state: DriverState, attempt: Attempt, lookedAt: number): Handled {
  const { jobs, attempts } = state
  const { slot } = attempt
  const nominal = nominalOf(attempt)
  if (nominal === undefined) return jobs.handled(slot)
  // After a reload, the new definition decides which periods exist.
  const schedule = jobs.entry(slot)?.schedule ?? attempt.entry.schedule
  const open = attempts.of(slot).filter(each => each !== attempt && !isRunning(each))
  const waiting = open.flatMap(each => nominalOf(each) ?? [])
  const closed = Math.min(closedThrough(schedule, lookedAt), ...waiting.map(each => each - 1))
  const handled = markHandled(jobs.handled(slot), [nominal], schedule, closed)
  jobs.setHandled(slot, handled)
  return handled
}

/** The attempt runs from here on. */
export function follow(
  state: DriverState,
  attempt: Attempt,
  begun: Pick<RunningStage, 'execution' | 'run' | 'over'>,
  now: Moment,
): RunningAttempt {
  const { execution, run } = begun
  state.attempts.move(attempt, { phase: 'running', isStartConcluded: execution.adopted, end: 'no', ...begun })
  const running = attempt as RunningAttempt
  if (run !== undefined) {
    state.effects.push({ kind: 'follow', attempt: running, run })
    watchTimeout(state, running, now)
  }
  return running
}

/** The shim keeps the timeout; the driver only reports a run that outlives it. */
function watchTimeout(state: DriverState, attempt: RunningAttempt, now: Moment): void {
  const { execution } = attempt.stage
  const { timeout, grace } = execution.entry.settings
  if (timeout === null) return
  const passedMs = execution.adopted ? Math.max(0, now.wallMs - execution.startedAt) : 0
  const leftMs = (timeout + grace) / NANOSECONDS_PER_MS + KILL_PATIENCE_MS - passedMs
  if (leftMs > LONGEST_TIMER_MS) return
  state.effects.push({ kind: 'remind', attempt, afterMs: Math.max(KILL_PATIENCE_MS, leftMs) })
}

/** The start is durable. */
export function startStored(state: DriverState, attempt: RunningAttempt, now: Moment): void {
  const { stage, cause } = attempt
  const { execution, over } = stage
  state.attempts.move(attempt, { ...stage, isStartConcluded: true })
  const lateMs = cause.kind === 'period' ? execution.startedAt - cause.decision!.chosen! * 1_000 : 0
  emit(state, events.started(execution, lateMs))
  if (over !== undefined) exited(state, attempt, over, now)
}

/** An execution that is not recorded must end. */
export function startUnstored(state: DriverState, attempt: RunningAttempt): void {
  const { stage } = attempt
  if (stage.run !== undefined) return end(state, attempt, 'unrecorded', 'now')
  state.attempts.remove(attempt)
}

/** The command was certainly not executed. The period is free again once that is durable. */
export function refused(state: DriverState, attempt: Attempt, error: KronError, now: Moment): void {
  const { stage, slot, entry, cause } = attempt
  if (stage.phase !== 'intended') return
  const decision = cause.kind === 'period' ? cause.decision : undefined
  emit(state, { ...events.failed(error, decision), identity: entry.identity })
  attempt.refusal = error.message
  record(state, slot, entry.identity, withdrawalOf(stage.executionId, now), { step: 'withdrawn', attempt })
}

/** A prepared start was taken back. Its period is judged again once that is durable. */
export function cancelled(state: DriverState, attempt: Attempt, now: Moment): void {
  const { stage, slot, entry } = attempt
  if (stage.phase !== 'intended') return
  const withdrawal = withdrawalOf(stage.executionId, now)
  record(state, slot, entry.identity, withdrawal, { step: 'takenBack', attempt })
}

/** The command has ended: one of ours, or an adopted one. */
export function exited(state: DriverState, attempt: RunningAttempt, ending: Ending, now: Moment): void {
  if (!state.attempts.has(attempt)) return
  const { execution } = attempt.stage
  const endedAt = ending.endedAt ?? now.wallMs
  if (ending.reason === 'timeout') emit(state, events.timedOut(execution))
  record(state, attempt.slot, execution.entry.identity, endOf(execution, ending, endedAt), {
    step: 'finished',
    attempt,
    ending,
    endedAt,
  })
}

/** The end is durable. True if the attempt is over. */
export function endStored(
  state: DriverState,
  {
    attempt,
    ending,
    endedAt,
  }: Extract<Extract<Message, { kind: 'stored' }>['recorded'], { step: 'finished' }>,
): boolean {
  const { stage } = attempt
  const { execution } = stage
  emit(state, events.finished(execution, ending, durationOf(execution, ending, endedAt), ending.reason))
  const { undeliveredBytes } = ending
  if (undeliveredBytes !== undefined) emit(state, events.outputLost(execution, undeliveredBytes))
  state.attempts.move(attempt, { ...stage, finished: ending })
  // `endAnswered` is still to come: it says whether the whole process tree is gone.
  if (stage.end === 'asked') return false
  drop(state, attempt)
  return true
}

/** Tells a run to end, once. */
export function end(
  state: DriverState,
  attempt: RunningAttempt,
  why: EndingReason,
  how: 'grace' | 'now' = 'grace',
): void {
  const { stage } = attempt
  if (stage.run === undefined || stage.end === 'asked' || stage.end === 'gone') return
  state.attempts.move(attempt, { ...stage, end: 'asked' })
  state.effects.push({ kind: 'end', attempt, run: stage.run, why, how })
}

/** The answer to `end`. True if the attempt is over. */
export function endAnswered(state: DriverState, attempt: RunningAttempt, isGone: boolean): boolean {
  if (!state.attempts.has(attempt)) return false
  const { stage } = attempt
  const isUnrecorded = !stage.isStartConcluded
  state.attempts.move(attempt, {
    ...stage,
    isStartConcluded: true,
    end: isGone ? 'gone' : 'survived',
  })
  if (stage.finished === undefined && !isUnrecorded) return false
  drop(state, attempt)
  return true
}

export const survived = (pid: number): ExecutionError =>
  new ExecutionError(`process ${pid}, or one of its children, is still there after SIGKILL`, {
    component: 'execution',
    operation: 'end',
    hint: 'a process in uninterruptible sleep waits for a device or a file system',
  })

/** Reports that a run, or a part of it, cannot be ended. */
export function reportSurvivor(state: DriverState, { stage }: RunningAttempt, problem: KronError): void {
  const { entry, periodId } = stage.execution
  emit(state, { ...events.failed(problem), identity: entry.identity, periodId })
}
