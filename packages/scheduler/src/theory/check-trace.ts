import { findZone, type Zone } from '@kron/core'
import { identityOf, occurrencesOf, type ScheduleRules } from '../cron/task-schedule.ts'
import { parseRegistrations, type TaskList } from '../registration/parse.ts'
import { TaskHistory } from './task-history.ts'
import type { Axiom, Trace, TraceEvent, Violation } from './trace.ts'

/** The time limit for required events: this much clock time, and this many events for each task of the list. */
const WITHIN_MS = 60_000
const MS_PER_TASK = 6
const EVENTS_PER_TASK = 16
const EVENTS_AT_LEAST = 64

/** The first axiom of the theory that a recorded trace violates. Undefined for a correct scheduler. */
export function checkTrace(trace: Trace): Violation | undefined {
  const zone = findZone(trace.timeZone)
  if (zone === undefined) throw new RangeError(`${JSON.stringify(trace.timeZone)} is not an IANA time zone`)
  const { schedules = 'posix', namespace = 'default', maxConcurrent = Number.POSITIVE_INFINITY } = trace
  const rules: ScheduleRules = { schedules, namespace, timeZone: trace.timeZone }
  const checker = new Checker(zone, rules, maxConcurrent, trace.slack ?? 0)
  for (const event of trace.events) {
    const violation = checker.take(event)
    if (violation !== undefined) return violation
  }
  return checker.finish(trace.endedAt ?? trace.events.at(-1)?.at ?? 0)
}

interface Initialization {
  /** Undefined if the list is invalid. */
  readonly list: TaskList | undefined
  readonly since: number
  /** The time when the list was stored. */
  reconciledAt?: number
  /** Whether a failure is excused by another initialization (in progress or active) or a failing store. */
  excused: boolean
}

interface Claim {
  readonly axiom: Axiom
  readonly message: string
}

class Checker {
  readonly #zone: Zone
  readonly #rules: ScheduleRules
  readonly #maxConcurrent: number
  readonly #slack: number
  /** The tasks by name, from the list of the last successful initialization. */
  #tasks = new Map<string, TaskHistory>()
  readonly #initializations = new Map<number, Initialization>()
  #active: { readonly since: number; readonly position: number } | undefined
  /** Whether a successful initialization would be the second one since the last stop or crash. */
  #taken = false
  #stopping: { since: number } | undefined
  #storeDown = false
  /** The time since which another callback may start. */
  #roomSince = Number.NEGATIVE_INFINITY
  /** Delays before this time are excused. */
  #excusedUntil = Number.NEGATIVE_INFINITY
  #position = 0
  /** The time of the last event, and the position of the first event at that time. */
  #instant = { at: Number.NaN, position: 0 }

  constructor(zone: Zone, rules: ScheduleRules, maxConcurrent: number, slack: number) {
    this.#zone = zone
    this.#rules = rules
    this.#maxConcurrent = maxConcurrent
    this.#slack = slack
  }

  take(event: TraceEvent): Violation | undefined {
    if (event.at !== this.#instant.at) this.#instant = { at: event.at, position: this.#position }
    const claim = this.#apply(event) ?? this.#starved(event.at)
    const position = this.#position++
    return claim && { ...claim, position }
  }

  finish(at: number): Violation | undefined {
    const claim = this.#overdueStart(at) ?? this.#overdueInitialization(at) ?? this.#overdueStop(at)
    return claim && { ...claim, position: this.#position }
  }

  #apply(event: TraceEvent): Claim | undefined {
    switch (event.kind) {
      case 'InitStart':
        this.#initStart(event.call, event.registrations, event.at)
        return undefined
      case 'Reconciled':
        this.#reconciled(event.call, event.at)
        return undefined
      case 'InitSuccess':
        return this.#initSuccess(event.call, event.at)
      case 'InitFailure':
        return this.#initFailure(event.call, event.at)
      case 'StopStart':
        return this.#stopStart(event.at)
      case 'StopEnd':
        return this.#stopEnd(event.at)
      case 'Crash':
        return this.#crash(event.at)
      case 'Requested':
        this.#tasks.get(event.task)?.request(event.at)
        return undefined
      case 'RunStart':
        return this.#runStart(event.task, event.at)
      case 'RunSuccess':
      case 'RunFailure':
        return this.#runEnd(event.task, event.at, event.kind === 'RunFailure' ? event.endedAt : undefined)
      case 'StoreDown':
      case 'StoreUp':
        this.#store(event.kind === 'StoreDown', event.at)
        return undefined
      case 'ClockSetBack':
        for (const task of this.#tasks.values()) task.clockSetBack(event.at)
        this.#excusedUntil = event.at
        return undefined
      case 'Loaded':
        this.#tasks.get(event.task)?.load(event.storedAt)
        return undefined
      case 'ClockSetForward':
        this.#excusedUntil = event.at
        return undefined
    }
  }

  #initStart(call: number, registrations: unknown, at: number): void {
    const excused = this.#initializations.size > 0 || this.#taken || this.#storeDown
    for (const other of this.#initializations.values()) other.excused = true
    this.#initializations.set(call, { list: listOf(registrations, at, this.#rules), since: at, excused })
  }

  #reconciled(call: number, at: number): void {
    const initialization = this.#initializations.get(call)
    if (initialization !== undefined) initialization.reconciledAt = at
  }

  #initSuccess(call: number, at: number): Claim | undefined {
    const { list, reconciledAt = at } = this.#initializations.get(call) ?? {}
    this.#initializations.delete(call)
    if (list === undefined) return { axiom: 'S4', message: 'an invalid list was accepted' }
    if (this.#taken) return { axiom: 'S6', message: 'initialized twice without a stop or a crash in between' }
    this.#taken = true
    this.#tasks = this.#tasksOf(list, reconciledAt)
    if (this.#stopping === undefined) this.#active = { since: at, position: this.#position }
    else this.#stopping.since = at
    return undefined
  }

  #tasksOf(list: TaskList, at: number): Map<string, TaskHistory> {
    const tasks = new Map<string, TaskHistory>()
    for (const [index, name] of list.names.entries()) {
      const schedule = list.crons[list.cronOf[index]!]!
      const occurrences = occurrencesOf(schedule, this.#zone, identityOf(this.#rules, name))
      const known = this.#tasks.get(name)
      known?.reschedule(occurrences)
      const task = known ?? new TaskHistory(occurrences, at, this.#position)
      task.retry = list.retries.get(index)
      task.retryDelayMs = list.retryDelays[index]!
      tasks.set(name, task)
    }
    return tasks
  }

  #initFailure(call: number, at: number): Claim | undefined {
    const initialization = this.#initializations.get(call)
    this.#initializations.delete(call)
    if (initialization === undefined || initialization.list === undefined) return undefined
    if (this.#stopping !== undefined) this.#stopping.since = at
    if (initialization.excused) return undefined
    return {
      axiom: 'S5',
      message: 'a valid list was rejected though nothing else was initializing or active',
    }
  }

  #stopStart(at: number): Claim | undefined {
    const claim = this.#overdueStart(at)
    this.#trustSetBacks(at)
    for (const task of this.#tasks.values()) task.forgetRequest()
    this.#active = undefined
    this.#stopping ??= { since: at }
    return claim
  }

  #stopEnd(at: number): Claim | undefined {
    const running = this.#runningTask()
    if (running !== undefined) return { axiom: 'S3', message: `stopped while ${quoted(running)} was running` }
    const claim = this.#overdueStop(at)
    this.#active = undefined
    this.#stopping = undefined
    this.#taken = false
    return claim
  }

  #crash(at: number): Claim | undefined {
    const claim = this.#overdueStart(at) ?? this.#overdueInitialization(at) ?? this.#overdueStop(at)
    this.#trustSetBacks(at)
    for (const task of this.#tasks.values()) task.crash(at, this.#position)
    // The next instance finds the stored list, even if the success was never reported.
    for (const { list, reconciledAt } of this.#initializations.values())
      if (list !== undefined && reconciledAt !== undefined) this.#tasks = this.#tasksOf(list, reconciledAt)
    this.#initializations.clear()
    this.#active = undefined
    this.#stopping = undefined
    this.#taken = false
    return claim
  }

  #runStart(name: string, at: number): Claim | undefined {
    const task = this.#tasks.get(name)
    if (this.#active === undefined)
      return { axiom: 'quiet', message: `${quoted(name)} started while not active` }
    if (task === undefined) return { axiom: 'S1', message: `${quoted(name)} started, but is not registered` }
    if (task.running) return { axiom: 'serial', message: `${quoted(name)} started while it was running` }
    const since = task.pendingSince(at)
    if (since === undefined) return { axiom: 'S1', message: `${quoted(name)} started, but was not due` }
    const late = this.#late(name, since, at)
    if (!this.#hasRoom())
      return {
        axiom: 'room',
        message: `${quoted(name)} started while ${this.#maxConcurrent} others were running`,
      }
    task.start(at)
    return late
  }

  #runEnd(name: string, at: number, failedAt: number | undefined): Claim | undefined {
    const task = this.#tasks.get(name)
    if (task === undefined) return { axiom: 'S1', message: `${quoted(name)} ended, but is not registered` }
    if (this.#stopping !== undefined) this.#stopping.since = at
    if (!this.#hasRoom()) this.#roomSince = at
    const { running } = task
    if (failedAt !== undefined) task.fail(at, failedAt, this.#position)
    else if (!task.succeed(at, this.#position)) {
      return { axiom: 'S2', message: `${quoted(name)} succeeded twice for one occurrence` }
    }
    return running ? undefined : { axiom: 'serial', message: `${quoted(name)} ended, but was not running` }
  }

  #store(down: boolean, at: number): void {
    this.#storeDown = down
    for (const initialization of this.#initializations.values()) initialization.excused = true
    if (!down) this.#excusedUntil = at
  }

  /** A process that had the time to store that the clock was set back must have stored it. */
  #trustSetBacks(at: number): void {
    if (this.#active === undefined) return
    for (const task of this.#tasks.values())
      if (task.setBackAt !== undefined && this.#overdue(task.setBackAt, at) > 0) task.trustSetBacks()
  }

  #overdueStart(at: number): Claim | undefined {
    if (this.#active === undefined) return undefined
    for (const [name, task] of this.#tasks) {
      const since = task.pendingSince(at)
      const late = since === undefined ? undefined : this.#late(name, since, at)
      if (late !== undefined) return late
    }
    return undefined
  }

  /** Whether so many events happened at one instant that a pending task must have been skipped. */
  #starved(at: number): Claim | undefined {
    const most = EVENTS_AT_LEAST + EVENTS_PER_TASK * this.#tasks.size
    const here = this.#position - this.#instant.position
    if (this.#active === undefined || this.#storeDown || !this.#hasRoom() || here === 0 || here % most !== 0)
      return undefined
    for (const [name, task] of this.#tasks) {
      const since = Math.max(task.idlePosition, this.#active.position, this.#instant.position)
      if (this.#position - since < most || task.pendingSince(at) === undefined) continue
      return {
        axiom: 'L1',
        message: `${quoted(name)} was due but did not start for ${this.#position - since} events`,
      }
    }
    return undefined
  }

  #late(name: string, pendingSince: number, at: number): Claim | undefined {
    if (this.#storeDown || this.#active === undefined || !this.#hasRoom()) return undefined
    const late = this.#overdue(Math.max(pendingSince, this.#active.since, this.#roomSince), at)
    return late
      ? { axiom: 'L1', message: `${quoted(name)} was due but did not start for ${late} ms` }
      : undefined
  }

  #overdueInitialization(at: number): Claim | undefined {
    for (const { since } of this.#initializations.values()) {
      const late = this.#overdue(since, at)
      if (late) return { axiom: 'L2', message: `an initialization had not ended after ${late} ms` }
    }
    return undefined
  }

  #overdueStop(at: number): Claim | undefined {
    if (this.#stopping === undefined || this.#runningTask() !== undefined || this.#initializations.size > 0) {
      return undefined
    }
    const late = this.#overdue(this.#stopping.since, at)
    return late
      ? { axiom: 'L3', message: `nothing was running, but stopping had not ended after ${late} ms` }
      : undefined
  }

  #overdue(since: number, at: number): number {
    if (this.#storeDown) return 0
    const waited = at - Math.max(since, this.#excusedUntil)
    return waited > WITHIN_MS + MS_PER_TASK * this.#tasks.size + this.#slack ? waited : 0
  }

  /** Whether another callback may start. */
  #hasRoom(): boolean {
    if (!Number.isFinite(this.#maxConcurrent)) return true
    let running = 0
    for (const task of this.#tasks.values()) if (task.running) running++
    return running < this.#maxConcurrent
  }

  #runningTask(): string | undefined {
    for (const [name, task] of this.#tasks) if (task.running) return name
    return undefined
  }
}

const quoted = (name: string): string => JSON.stringify(name)

function listOf(registrations: unknown, at: number, rules: ScheduleRules): TaskList | undefined {
  try {
    return parseRegistrations(registrations, at, rules)
  } catch {
    return undefined
  }
}
