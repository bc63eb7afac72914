import { type Pause, pauseAt } from '@kron/host'
import * as events from '../log/event.ts'
import type { Summarised } from '../store/state-store.ts'
import { isHeld, takeBack } from './ahead.ts'
import { arrived, found, surveyed, sweepClaims, traced } from './arrival.ts'
import type { Attempt } from './attempt.ts'
import { clockJumped, noticeMovement, reopen } from './clock-jump.ts'
import { alarmOutdated, alarmSet, waitingAttemptsCatchUp } from './clock-state.ts'
import type { Effect, Message, Recorded } from './effect.ts'
import type { Execution } from './execution.ts'
import type { JobTable } from './job-table.ts'
import {
  continueManual,
  giveUp,
  REPEATED,
  recordAgain,
  reset,
  tellFinished,
  tellStarted,
  trigger,
} from './manual.ts'
import { type Moment, secondOf } from './moment.ts'
import { chosenOf, withdrawalOf } from './record.ts'
import { release, reload } from './reload.ts'
import {
  cancelled,
  endAnswered,
  endStored,
  exited,
  refused,
  reportSurvivor,
  start,
  started,
  startStored,
  startUnstored,
  survived,
} from './run.ts'
import { fillPlaces, retry, visit, wake } from './schedule.ts'
import { type DriverSettings, type DriverState, drop, emit, newState, record } from './state.ts'
import { checkStops, stop } from './stop.ts'

/**
 * The one owner of mutable scheduling state: messages in, effects out. Only functions of this folder change the state.
 * The driver only returns effects. The caller of `receive` carries them out in order and sends the answers back as
 * messages. One exception: the driver calls `mayStart`, which looks at the disk.
 */
export class Driver {
  readonly #state: DriverState

  constructor(settings: DriverSettings) {
    this.#state = newState(settings)
  }

  receive(message: Message, now: Moment): readonly Effect[] {
    const state = this.#state
    noticeMovement(state, now)
    dispatch(state, message, now)
    setAlarm(state)
    const { effects } = state
    state.effects = []
    return effects
  }

  get jobs(): JobTable {
    return this.#state.jobs
  }

  get pauses(): readonly Pause[] {
    return this.#state.pauses
  }

  /** Attempts that wait for a place, in order. */
  get waiting(): readonly Attempt[] {
    return this.#state.waiting
  }

  /** Whether a run of an earlier daemon is still looked for; until it is found, the job is not planned. */
  isLookedUp(slot: number): boolean {
    return this.#state.lookups.has(slot)
  }

  /** The number of jobs in the due queue. */
  get queueDepth(): number {
    return this.#state.due.size
  }

  /** When the driver looks at a job next, in epoch seconds: half a second before the job is due, if it can. */
  get nextLook(): number | undefined {
    return this.#state.due.nextAt()
  }

  /** When the job starts next, or is judged again, in epoch seconds. */
  nextTrigger(slot: number): number | undefined {
    const { attempts, due } = this.#state
    const held = attempts.of(slot).find(isHeld)
    if (held !== undefined) return chosenOf(held)
    const at = due.at(slot)
    return at === undefined ? undefined : Math.ceil(at)
  }

  /** The number of jobs whose swept periods were reopened since the start, because the clock had been ahead. */
  get reopenedJobs(): number {
    return this.#state.reopened.jobs
  }

  /** When a period was last reopened, in epoch seconds; undefined if never. */
  get reopenedAt(): number | undefined {
    return this.#state.reopened.at
  }

  /** The last jump of the clock since the start; undefined if there was none. */
  get clockJump(): { readonly at: number; readonly byMs: number } | undefined {
    return this.#state.clock.lastJump
  }

  /** The executions that have not ended. */
  running(): readonly Execution[] {
    return this.#state.attempts.running().map(each => each.stage.execution)
  }

  runningOf(slot: number): readonly Execution[] {
    const { attempts } = this.#state
    return attempts.of(slot).flatMap(({ stage }) => (stage.phase === 'running' ? [stage.execution] : []))
  }

  get runningCount(): number {
    return this.#state.attempts.running().length
  }

  /** Whether a job that was removed from the files still has a run. */
  isRetired(identity: string): boolean {
    return this.#state.retired.has(identity)
  }

  /** For each job its identity and, if it is idle, the small state that the summary stores. */
  *summarised(): Generator<Summarised> {
    const { jobs, attempts, lookups } = this.#state
    for (const slot of jobs.slots()) {
      const handled = jobs.handled(slot)
      const isPlain = handled.above.length === 0 && handled.ranges === undefined
      const isSimple = attempts.of(slot).length === 0 && !lookups.has(slot) && isPlain
      const rest = isSimple ? { seq: jobs.lastSeq(slot), handled } : undefined
      yield { identity: jobs.entry(slot)!.identity, rest }
    }
  }
}

/** Sets the alarm to the next look at a job, if that may have changed. */
function setAlarm(state: DriverState): void {
  if (state.clock.alarm === 'set') return
  const second = state.isStopped ? undefined : state.due.nextAt()
  state.effects.push({ kind: 'wakeAt', second })
  state.clock = alarmSet(state.clock)
}

function dispatch(state: DriverState, message: Message, now: Moment): void {
  switch (message.kind) {
    case 'due':
      return wake(state, now)
    case 'clockJumped':
      return clockJumped(state, message.jump, now)
    case 'roomFreed':
      return fillPlaces(state, now)
    case 'stateLost':
      return recordAgain(state, message.identity)
    case 'stored':
      return stored(state, message.recorded, now)
    case 'unstored':
      return unstored(state, message.recorded)
    case 'started': {
      const { attempt, answer } = message
      if (attempt.cause.kind === 'manual' && answer.kind === 'already') return repeated(state, attempt, now)
      return started(state, attempt, answer, now)
    }
    case 'refused':
      return refused(state, message.attempt, message.error, now)
    case 'cancelled':
      return cancelled(state, message.attempt, now)
    case 'exited':
      return exited(state, message.attempt, message.ending, now)
    case 'endAnswered': {
      const { attempt, problem } = message
      if (problem !== undefined) {
        reportSurvivor(state, attempt, problem)
        postponeReplacements(state, attempt.slot, now)
      }
      if (endAnswered(state, attempt, problem === undefined)) letOthersContinue(state, attempt.slot, now)
      return
    }
    case 'overdue': {
      const { attempt } = message
      const { execution, finished } = attempt.stage
      if (state.attempts.has(attempt) && finished === undefined)
        reportSurvivor(state, attempt, survived(execution.pid))
      return
    }
    case 'arrived':
      return arrived(state, message.entry, message.loaded, now)
    case 'traced':
      traced(state, message, now)
      return found(state, message.slot, now)
    case 'surveyed':
      surveyed(state, message, now)
      return found(state, message.slot, now)
    case 'claims':
      return sweepClaims(state, message.claims)
    case 'reload':
      return reload(state, message)
    case 'plan':
      return plan(state, now)
    case 'stop':
      return stop(state, message)
    case 'trigger':
      return trigger(state, message.request, message.caller, now)
    case 'reset':
      return reset(state, message, now)
    case 'pauses':
      return applyPauses(state, message.pauses, now)
  }
}

function stored(state: DriverState, recorded: Recorded, now: Moment): void {
  switch (recorded.step) {
    case 'intended':
      return start(state, recorded.attempt, now)
    case 'started':
      startStored(state, recorded.attempt, now)
      tellStarted(state, recorded.attempt)
      return letOthersContinue(state, recorded.attempt.slot, now)
    case 'withdrawn': {
      const { attempt } = recorded
      if (attempt.cause.kind === 'period') retry(state, attempt, now)
      else {
        const reason = attempt.refusal === REPEATED ? 'repeated' : 'start_failed'
        giveUp(state, attempt, reason, attempt.refusal ?? '')
      }
      return letOthersContinue(state, attempt.slot, now)
    }
    case 'takenBack': {
      const { attempt } = recorded
      drop(state, attempt)
      visit(state, attempt.slot, now, { catchingUp: true })
      return letOthersContinue(state, attempt.slot, now)
    }
    case 'finished': {
      const isOver = endStored(state, recorded)
      tellFinished(state, recorded.attempt, recorded.ending)
      return isOver ? letOthersContinue(state, recorded.attempt.slot, now) : undefined
    }
    case 'notExecuted':
      // Emitted only now, when the outcome is final.
      for (const { decision, outcome, reason, unseen } of recorded.periods)
        emit(state, events.notExecuted(decision, outcome, reason, unseen))
      return
    case 'noted':
      return
  }
}

function unstored(state: DriverState, recorded: Recorded): void {
  switch (recorded.step) {
    case 'intended':
    case 'withdrawn':
    case 'takenBack':
    case 'finished':
      drop(state, recorded.attempt)
      break
    case 'started':
      startUnstored(state, recorded.attempt)
      break
    case 'notExecuted':
    case 'noted':
      break
  }
  checkStops(state)
}

/** The claim of the request existed already: its run is recorded under another execution id. */
function repeated(state: DriverState, attempt: Attempt, now: Moment): void {
  const { stage, slot, entry } = attempt
  if (stage.phase !== 'intended') return
  attempt.refusal = REPEATED
  record(state, slot, entry.identity, withdrawalOf(stage.executionId, now), { step: 'withdrawn', attempt })
}

/** A run has ended, or a start is finished: other attempts may continue. */
function letOthersContinue(state: DriverState, slot: number, now: Moment): void {
  release(state, slot)
  const isReplacing = (kind: Attempt['cause']['kind']): boolean =>
    state.attempts.of(slot).some(({ cause, stage }) => cause.kind === kind && stage.phase === 'replacing')
  if (isReplacing('manual')) continueManual(state, slot, now)
  else if (isReplacing('period')) visit(state, slot, now, { catchingUp: waitingAttemptsCatchUp(state.clock) })
  fillPlaces(state, now)
  checkStops(state)
}

/** A part of a run could not be ended: no other run may take its place yet. */
function postponeReplacements(state: DriverState, slot: number, now: Moment): void {
  for (const each of state.attempts.of(slot)) {
    if (each.stage.phase !== 'replacing') continue
    if (each.cause.kind === 'period') retry(state, each, now)
    else giveUp(state, each, 'replace_failed', 'the run that it replaces could not be ended')
  }
}

/** Plans the jobs that are new, changed or back after downtime. Jobs whose runs are still looked for stay unplanned. */
function plan(state: DriverState, now: Moment): void {
  const { lookups, unplanned } = state
  const slots = unplanned.filter(slot => !lookups.has(slot))
  state.unplanned = unplanned.filter(slot => lookups.has(slot))
  // Also if no job has arrived: when the alarm is set, it looks whether the clock was set.
  state.clock = alarmOutdated(state.clock)
  reopen(state, slots, now)
  for (const slot of slots) visit(state, slot, now, { catchingUp: true })
}

/**
 * Pauses were added or removed: jobs paused now start no more periods (active runs go on); jobs no longer paused catch
 * up.
 */
function applyPauses(state: DriverState, pauses: readonly Pause[], now: Moment): void {
  const second = secondOf(now)
  const { jobs, paused } = state
  state.pauses = pauses
  for (const slot of jobs.slots()) {
    const { identity } = jobs.entry(slot)!
    for (const each of state.attempts.of(slot))
      if (isHeld(each) && pauseAt(pauses, identity, chosenOf(each)) !== undefined) takeBack(state, each)
    const isPaused = pauseAt(pauses, identity, second) !== undefined
    if (isPaused || paused.has(slot)) visit(state, slot, now)
  }
}
