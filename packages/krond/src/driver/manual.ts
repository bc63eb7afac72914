import { seen } from '@kron/host'
import type { TriggerRefusal, TriggerRequest } from './action.ts'
import { isHeld, takeBack } from './ahead.ts'
import { type Attempt, type Caller, isRunning, type RunningAttempt } from './attempt.ts'
import type { Message } from './effect.ts'
import type { Ending } from './execution.ts'
import { type Moment, secondOf } from './moment.ts'
import { reopeningOf } from './record.ts'
import { intend } from './run.ts'
import { endRuns, forget, visit } from './schedule.ts'
import { type DriverState, drop, hasRoom, record } from './state.ts'

export const REPEATED = 'this request was made before; its run is in the history of the job'

/** A person asks for a run now. The run obeys the concurrency policy, and is no period. */
export function trigger(state: DriverState, request: TriggerRequest, caller: Caller, now: Moment): void {
  const { jobs, attempts } = state
  const no = (reason: TriggerRefusal, message: string): void => refuse(state, caller, reason, message)
  if (state.isStopped) return no('stopping', 'krond is stopping: it starts no new run')
  const slot = slotOf(state, request.identity)
  if (slot === undefined) return no('unknown_job', `there is no job ${request.identity}`)
  const entry = jobs.entry(slot)!
  const siblings = attempts.of(slot)
  if (siblings.some(each => requestIdOf(each) === request.requestId)) return no('repeated', REPEATED)
  const active = siblings.filter(({ stage: { phase } }) => phase !== 'queued' && phase !== 'retrying')
  const { concurrency } = entry.schedule.policy
  if (concurrency !== 'allow' && state.lookups.has(slot))
    return no(
      'concurrency',
      `krond still looks for an earlier run of ${entry.name}: try again in some seconds`,
    )
  const mustReplace = concurrency === 'replace' && active.length > 0
  if (concurrency === 'forbid' && active.length > 0) {
    const does = active.every(isHeld) ? 'is about to start' : 'is running'
    return no('concurrency', `${entry.name} ${does}, and its policy is concurrency=forbid`)
  }
  if (mustReplace ? !state.settings.mayStart() : !hasRoom(state))
    return no('no_room', 'no place is free: the limit of --max-concurrent is reached, or the disk is full')
  const cause = { kind: 'manual', request, at: secondOf(now), caller } as const
  const attempt = attempts.add(slot, entry, cause, { phase: 'replacing', offsetMs: now.offsetMs })
  if (mustReplace) {
    // A start that has been prepared comes after this run, and replaces it.
    for (const each of siblings) takeBack(state, each)
    endRuns(state, slot)
  } else intend(state, attempt, now)
}

/** A person takes the job back to an earlier time. Refused if the state has changed since the person's request was judged. */
export function reset(state: DriverState, request: Extract<Message, { kind: 'reset' }>, now: Moment): void {
  const { identity, seq, handled, forgotten, done } = request
  const slot = slotOf(state, identity)
  const isCurrent = slot !== undefined && state.jobs.lastSeq(slot) === seq
  reply(state, () => done(isCurrent))
  if (!isCurrent) return
  forget(state, slot)
  state.jobs.setHandled(slot, handled)
  record(state, slot, identity, reopeningOf(handled, secondOf(now), forgotten))
  visit(state, slot, now, { catchingUp: true })
}

/** The state file of a job is lost: all that the driver knows of its handled periods is recorded again. */
export function recordAgain(state: DriverState, identity: string): void {
  const slot = slotOf(state, identity)
  if (slot !== undefined) record(state, slot, identity, seen(state.jobs.handled(slot)))
}

/** Starts a manual run if the runs that it replaces are gone: one at a time, in the order of the requests. */
export function continueManual(state: DriverState, slot: number, now: Moment): void {
  const attempts = state.attempts.of(slot)
  const next = attempts.find(({ cause, stage }) => cause.kind === 'manual' && stage.phase === 'replacing')
  if (next === undefined) return
  if (state.isStopped) return giveUp(state, next, 'stopping', 'krond is stopping: it starts no new run')
  if (attempts.some(({ stage: { phase } }) => phase === 'intended')) return
  if (attempts.some(isRunning)) return endRuns(state, slot)
  if (hasRoom(state)) intend(state, next, now)
  else giveUp(state, next, 'no_room', 'the old run has ended, but no place is free for the new one')
}

/** Ends a manual run that did not start. */
export function giveUp(state: DriverState, attempt: Attempt, reason: TriggerRefusal, message: string): void {
  drop(state, attempt)
  const caller = callerOf(attempt)
  if (caller !== undefined) refuse(state, caller, reason, message)
}

/** The start of a manual run is durable. */
export function tellStarted(state: DriverState, attempt: RunningAttempt): void {
  const caller = callerOf(attempt)
  const { execution } = attempt.stage
  if (caller !== undefined) reply(state, () => caller.started(execution))
}

/** The end of a manual run is durable. */
export function tellFinished(state: DriverState, attempt: RunningAttempt, ending: Ending): void {
  const caller = callerOf(attempt)
  if (caller !== undefined) reply(state, () => caller.finished(ending))
}

const refuse = (state: DriverState, caller: Caller, reason: TriggerRefusal, message: string): void =>
  reply(state, () => caller.refused(reason, message))

const reply = (state: DriverState, act: () => void): void =>
  void state.effects.push({ kind: 'reply', reply: act })

const callerOf = ({ cause }: Attempt): Caller | undefined =>
  cause.kind === 'manual' ? cause.caller : undefined

const requestIdOf = ({ cause }: Attempt): string | undefined =>
  cause.kind === 'manual' ? cause.request.requestId : undefined

function slotOf({ jobs }: DriverState, identity: string): number | undefined {
  for (const slot of jobs.slots()) if (jobs.entry(slot)!.identity === identity) return slot
  return undefined
}
