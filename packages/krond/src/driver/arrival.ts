import {
  decide,
  firstHandled,
  type Handled,
  isHandled,
  parseInstant,
  prev,
  printInstant,
  startOffset,
} from '@kron/core'
import {
  type ActiveState,
  activeManualOf,
  activeOf,
  claimName,
  claimPrefix,
  type Entry,
  handledOf,
  type ManualRun,
  type State,
  seen,
} from '@kron/host'
import type { ClaimedPeriod, LivingRun, Run, Trace } from '../effects/ports.ts'
import * as events from '../log/event.ts'
import type { Loaded } from '../store/state-store.ts'
import type { Attempt, Cause } from './attempt.ts'
import type { Effect, Message } from './effect.ts'
import { type Execution, UNSEEN } from './execution.ts'
import { type Moment, secondOf } from './moment.ts'
import { outcomesOf, startOf, withdrawalOf } from './record.ts'
import { release } from './reload.ts'
import { exited, follow, markPeriodHandled } from './run.ts'
import { fillPlaces } from './schedule.ts'
import { type DriverState, emit, record } from './state.ts'
import { checkStops } from './stop.ts'
import { reportDecision } from './verdict.ts'

type Corrupt = Extract<Loaded, { kind: 'corrupt' }>

/** Takes in a job with its known state; looks for runs that an earlier daemon left running or without an outcome. */
export function arrived(state: DriverState, entry: Entry, loaded: Loaded | 'retired', now: Moment): void {
  const slot = loaded === 'retired' ? reinstate(state, entry) : takeIn(state, entry, loaded, now)
  if (slot !== undefined) state.unplanned.push(slot)
}

function takeIn(state: DriverState, entry: Entry, loaded: Loaded, now: Moment): number {
  const { jobs } = state
  switch (loaded.kind) {
    case 'new': {
      const handled = firstHandled(entry.schedule, secondOf(now))
      const slot = jobs.add(entry, handled, 0)
      record(state, slot, entry.identity, seen(handled))
      return slot
    }
    case 'corrupt': {
      const handled = handledAfterLoss(entry, loaded, secondOf(now))
      const slot = jobs.add(entry, handled, loaded.journalled?.Seq ?? 0)
      lookUp(state, { kind: 'survey', slot, entry, aside: loaded.aside, journalled: loaded.journalled })
      return slot
    }
    case 'resting':
      return jobs.add(entry, loaded.handled, loaded.seq)
    case 'known': {
      const { state: known } = loaded
      const slot = jobs.add(entry, handledOf(known), known.Seq)
      for (const active of [...activeOf(known), ...activeManualOf(known)])
        lookUp(state, { kind: 'trace', slot, entry, seedHash: known.SeedHash, active })
      return slot
    }
  }
}

/** A job that was removed from the files is defined again before its run has ended. */
function reinstate({ jobs, retired }: DriverState, entry: Entry): number | undefined {
  const slot = retired.get(entry.identity)
  if (slot === undefined) return undefined
  retired.delete(entry.identity)
  jobs.replace(slot, entry)
  return slot
}

function lookUp(state: DriverState, effect: Extract<Effect, { kind: 'trace' | 'survey' }>): void {
  const { lookups, effects } = state
  lookups.set(effect.slot, (lookups.get(effect.slot) ?? 0) + 1)
  effects.push(effect)
}

/** The fate of one more run of an earlier daemon is known: a place may be free, and a stop may be over. */
export function found(state: DriverState, slot: number, now: Moment): void {
  const { lookups } = state
  const left = (lookups.get(slot) ?? 1) - 1
  if (left > 0) lookups.set(slot, left)
  else lookups.delete(slot)
  release(state, slot)
  fillPlaces(state, now)
  checkStops(state)
}

/** The fate of an execution of an earlier daemon is known. */
export function traced(
  state: DriverState,
  { slot, entry: sought, active, seedHash, trace }: Extract<Message, { kind: 'traced' }>,
  now: Moment,
): void {
  // The job may have been removed meanwhile; its run is adopted all the same.
  const entry = state.jobs.entry(slot) ?? sought
  if (active.StartedAt === '') return tracedIntent(state, slot, entry, active, trace, now)
  const attempt = adopt(
    state,
    slot,
    entry,
    active,
    seedHash,
    trace.kind === 'running' ? trace.run : undefined,
    now,
  )
  if (trace.kind !== 'running') exited(state, attempt, trace.kind === 'ended' ? trace.ending : UNSEEN, now)
}

/** An intent that may have run counts as executed: whether or not it is found alive, it never runs again. */
function tracedIntent(
  state: DriverState,
  slot: number,
  entry: Entry,
  intent: ActiveState | ManualRun,
  trace: Trace,
  now: Moment,
): void {
  if (trace.kind === 'never') {
    record(state, slot, entry.identity, withdrawalOf(intent.ExecutionID, now))
    return
  }
  const isManual = 'RequestID' in intent
  const seedHash = isManual ? '' : decide(entry, secondsOf(intent.PeriodID), state.settings.hash).seedHash
  const run = trace.kind === 'running' ? trace.run : undefined
  const startedAt = run?.startedAt ?? (trace.kind === 'ended' ? trace.startedAt : undefined)
  const begun = {
    ...intent,
    StartedAt: startedAt === undefined ? intent.ChosenTime : printInstant(Math.floor(startedAt / 1_000)),
    PID: run?.pid ?? 0,
    ProcessStart: run?.processStart ?? 0,
    ShimPID: run?.shimPid ?? 0,
  }
  const execution = executionOf(slot, entry, begun, seedHash)
  const attempt = state.attempts.add(slot, entry, causeOf(intent), { phase: 'queued' })
  const handled = markPeriodHandled(state, attempt, secondsOf(intent.ChosenTime))
  record(state, slot, entry.identity, startOf(execution, handled))
  const running = follow(state, attempt, { execution, run }, now)
  if (run !== undefined) emit(state, events.adopted(execution))
  else exited(state, running, trace.kind === 'ended' ? trace.ending : UNSEEN, now)
}

/** An adopted execution obeys concurrency, timeout and history like our own. */
function adopt(
  state: DriverState,
  slot: number,
  entry: Entry,
  active: ActiveState | ManualRun,
  seedHash: string,
  run: Run | undefined,
  now: Moment,
) {
  const execution = executionOf(slot, entry, active, seedHash)
  const attempt: Attempt = state.attempts.add(slot, entry, causeOf(active), { phase: 'queued' })
  const running = follow(state, attempt, { execution, run }, now)
  if (run !== undefined) emit(state, events.adopted(execution))
  return running
}

/** Takes in the claims and living runs of a job with corrupt state, all at once: a crash records all or none. */
export function surveyed(
  state: DriverState,
  { slot, aside, journalled, claimed, alive }: Extract<Message, { kind: 'surveyed' }>,
  now: Moment,
): void {
  const { jobs, settings } = state
  const entry = jobs.entry(slot)
  if (entry === undefined) return
  const { identity, schedule } = entry
  emit(state, events.stateCorrupt(identity, aside))
  const opened = jobs.handled(slot)
  const above = claimed.map(each => each.nominal).filter(each => each > opened.through)
  const handled = { ...opened, above: [...new Set([...opened.above, ...above])].sort((a, b) => a - b) }
  jobs.setHandled(slot, handled)
  const last = prev(schedule.cron, schedule.zone, handled.through)
  record(state, slot, identity, seen(last === undefined ? handled : { ...handled, through: last - 1 }))
  for (const { active, run } of alive) {
    record(state, slot, identity, { kind: 'adopted', execution: active })
    adopt(state, slot, entry, active, '', run, now)
  }
  if (last !== undefined && !alive.some(each => each.active.PeriodID === printInstant(last))) {
    const decision = decide(entry, last, settings.hash)
    reportDecision(state, decision)
    const periods = [{ decision, outcome: 'missed', reason: 'state_corrupt' } as const]
    const event = outcomesOf(periods, secondOf(now), jobs.handled(slot))
    record(state, slot, identity, event, { step: 'notExecuted', periods })
  }
  if (journalled !== undefined) traceJournalled(state, slot, entry, journalled, alive)
  state.effects.push({ kind: 'flush' })
}

/**
 * The journal may name executions that the survey did not find alive, also one whose window has not opened yet: its start
 * was prepared. Each gets its outcome, or its intent is withdrawn.
 */
function traceJournalled(
  state: DriverState,
  slot: number,
  entry: Entry,
  journalled: State,
  alive: readonly LivingRun[],
): void {
  const found = new Set(alive.map(each => each.active.ExecutionID))
  for (const active of [...activeOf(journalled), ...activeManualOf(journalled)])
    if (!found.has(active.ExecutionID))
      lookUp(state, { kind: 'trace', slot, entry, seedHash: journalled.SeedHash, active })
}

/**
 * Removes claims that an earlier daemon left although their period is handled. A claim of an unhandled period stays:
 * it keeps the period from running again. So do the claims of jobs whose runs are still looked for.
 */
export function sweepClaims(state: DriverState, claims: readonly ClaimedPeriod[]): void {
  const { jobs, attempts, lookups } = state
  // After a failed write the driver knows of more than is durable: no claim may go.
  if (claims.length === 0 || state.isStopped) return
  const slots = new Map<string, number>()
  for (const slot of jobs.slots()) slots.set(claimPrefix(jobs.entry(slot)!.identity), slot)
  for (const { prefix, nominal } of claims) {
    const slot = slots.get(prefix)
    if (slot === undefined || lookups.has(slot) || !isHandled(jobs.handled(slot), nominal)) continue
    const isActive = attempts
      .of(slot)
      .some(({ cause }) => cause.kind === 'period' && cause.nominal === nominal)
    if (!isActive)
      state.effects.push({ kind: 'release', claim: claimName(jobs.entry(slot)!.identity, nominal) })
  }
}

/** The content of the file is unknown, so every period whose window has opened counts as handled. */
function handledAfterLoss({ schedule }: Entry, { modifiedAt, journalled }: Corrupt, second: number): Handled {
  const opened = Math.max(second, Math.floor(modifiedAt / 1_000))
  const known = journalled === undefined ? undefined : handledOf(journalled)
  const through = Math.max(opened - startOffset(schedule.window), known?.through ?? 0)
  // No swept ranges: any of these periods may have run, so none may be reopened.
  return { through, above: known?.above.filter(each => each > through) ?? [], firstSeen: 0 }
}

function secondsOf(time: string): number {
  const instant = parseInstant(time)
  return instant.ok ? instant.value : 0
}

const causeOf = (active: ActiveState | ManualRun): Cause =>
  'RequestID' in active
    ? {
        kind: 'manual',
        request: { requestId: active.RequestID, identity: '', user: active.User },
        at: secondsOf(active.ChosenTime),
      }
    : { kind: 'period', nominal: secondsOf(active.PeriodID) }

const executionOf = (
  slot: number,
  entry: Entry,
  active: ActiveState | ManualRun,
  seedHash: string,
): Execution => ({
  id: active.ExecutionID,
  slot,
  entry,
  periodId: active.PeriodID,
  ...('RequestID' in active ? { user: active.User } : {}),
  chosenTime: active.ChosenTime,
  seedHash,
  pid: active.PID,
  processStart: active.ProcessStart,
  shimPid: active.ShimPID ?? 0,
  startedAt: secondsOf(active.StartedAt) * 1_000,
  adopted: true,
})
