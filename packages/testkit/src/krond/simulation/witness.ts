import { startOffset } from '@kron/core'
import type { Entry, StateEvent, StateRecord } from '@kron/host'
import { type Event, fieldOf } from '../../../../krond/src/log/event.ts'
import { inWords, Once } from '../../once/once.ts'
import type { Life } from './fault-plan.ts'
import { type Invariant, Violation } from './invariant.ts'
import type { MachineObserver } from './machine.ts'
import { StartChecks, secondsOf } from './start-checks.ts'
import type { ProcessObserver, VirtualRequest as StartRequest, VirtualProcess } from './virtual-processes.ts'

/** Seconds around a change of the local clock. */
const NEAR = 3 * 3_600
/** How long a report may take, in ms: messages are delayed, and a daemon may be about to die. */
const LONGEST_SILENCE = 20_000

export const keyOf = (identity: string, periodId: string): string => `${identity} ${periodId}`

/** One observed start of a process. */
export interface Start {
  readonly process: VirtualProcess
  readonly life: Life
  /** Whether the state file of the job was corrupted after this start. */
  corruptedSince: boolean
  durable: boolean
}

export interface Surroundings {
  readonly life: () => Life
  readonly now: () => number
  readonly monotonic: () => number
  readonly maxConcurrent: number
}

/** Observes everything that a daemon does or says, and compares it with the truth. */
export class Witness implements MachineObserver, ProcessObserver {
  readonly violations: Violation[] = []
  readonly starts = new Map<string, Start>()
  /** Outcomes that were reported or found on the disk. */
  readonly outcomes = new Map<string, string>()
  /** The history of runs and outcomes, as the independent checker sees it. */
  readonly once = new Once()
  /** Periods that ran or were reported since the states were last read. */
  readonly fresh = new Set<string>()
  readonly intents = new Set<string>()
  /** Periods whose start was postponed, by a refusal or because a process survived its end. */
  readonly postponed = new Set<string>()
  /** Whether the daemon has reported that the clock was ahead. */
  hasReopened = false
  /** Jobs whose state file was corrupted at some time. */
  readonly corrupted = new Set<string>()
  /** The current definitions. */
  entries: ReadonlyMap<string, Entry> = new Map()
  /** The definitions at the time when serve began to hold a start, by execution. */
  private readonly heldUnder = new Map<string, ReadonlyMap<string, Entry>>()
  /** Executions that serve began before it read the request that takes them back. */
  private readonly takenBack = new Set<string>()
  /** Changes whenever the daemon may have to catch up. */
  epoch = 0
  /** The number of starts within hours of a change of the local clock. */
  nearDst = 0
  readonly surroundings: Surroundings
  private readonly checks: StartChecks
  /** The reports that the daemon still owes, with the monotonic time since when. */
  private readonly missingReports = new Map<string, { readonly what: string; readonly since: number }>()
  private readonly processes = new Map<string, Start>()
  /**
   * The periods that ran or have an outcome, from starts, reports and records. Nothing comes from the history of a state:
   * faults depend on this set, and they must be the same however much history the daemon keeps.
   */
  private readonly over = new Set<string>()
  /** The period of each execution that is on record. */
  private readonly periods = new Map<string, string>()

  constructor(surroundings: Surroundings) {
    this.surroundings = surroundings
    this.checks = new StartChecks(this)
  }

  accuse(invariants: readonly Invariant[], message: string): void {
    if (this.violations.length < 100) this.violations.push(new Violation(invariants, message))
  }

  configured(entries: readonly Entry[]): void {
    this.entries = new Map(entries.map(entry => [entry.identity, entry]))
    this.epoch++
  }

  /**
   * The definition that a start must follow: the present one. If serve began the start before it read the request to
   * take it back, it is the definition under which serve began to hold the start.
   */
  definitionOf({ entry, executionId }: StartRequest): Entry | undefined {
    const entries = this.takenBack.has(executionId) ? this.heldUnder.get(executionId) : this.entries
    return entries?.get(entry.identity)
  }

  held(executionId: string): void {
    this.heldUnder.set(executionId, this.entries)
  }

  takenBackTooLate(executionId: string): void {
    this.takenBack.add(executionId)
  }

  started(process: VirtualProcess, request: StartRequest): void {
    const key = keyOf(process.identity, process.periodId)
    const life = this.surroundings.life()
    this.checks.check(process, request, life)
    const start: Start = { process, life, corruptedSince: false, durable: false }
    this.starts.set(key, start)
    this.over.add(key)
    this.processes.set(process.executionId, start)
    this.fresh.add(key)
    const zone = this.entries.get(process.identity)?.schedule.zone
    const { nominal } = request
    if (zone !== undefined && zone.offsetAt(nominal - NEAR) !== zone.offsetAt(nominal + NEAR)) this.nearDst++
  }

  ended(process: VirtualProcess): void {
    const start = this.processes.get(process.executionId)
    const isParent = start?.life === this.surroundings.life() && !start.life.dead
    // No daemon follows a start that was lost.
    if (isParent && start.durable)
      this.expect(process.executionId, `the end of ${process.identity} ${process.periodId}`)
  }

  refused({ entry, executionId }: StartRequest): void {
    if (!this.surroundings.life().dead) this.expect(entry.identity, `the refusal of ${executionId}`)
  }

  strangerEnded(pid: number): void {
    this.accuse(['STATE 5'], `process ${pid} of somebody else was ended`)
  }

  emitted(event: Event): void {
    const identity = String(fieldOf(event, 'identity') ?? '')
    const periodId = String(fieldOf(event, 'periodId') ?? '')
    switch (event.event) {
      case 'periods_reopened':
        this.hasReopened = true
        return
      case 'started':
        return this.reported(identity, periodId, 'executed')
      case 'skipped_concurrency':
      case 'missed_deadline':
      case 'constraint_unsatisfiable':
        if (event['reason'] === 'state_corrupt') return
        return this.reported(identity, periodId, String(event['outcome']))
      case 'finished':
        return this.finished(event)
      case 'reschedule':
        this.postponed.add(keyOf(identity, periodId))
        return
      case 'error':
        this.missingReports.delete(identity)
        return
    }
  }

  recorded(identity: string, event: StateEvent): void {
    this.settle(identity, event)
    switch (event.kind) {
      case 'intended':
        this.intents.add(event.execution.ExecutionID)
        return this.advanced(identity, `${identity} ${event.execution.PeriodID} was to start`)
      case 'started': {
        const start = this.processes.get(event.executionId)
        if (start !== undefined) start.durable = true
        return
      }
      case 'notExecuted':
        if (event.periods.some(each => each.reason === 'state_corrupt')) return
        this.checks.checkBacklog(identity, event.periods)
        return this.advanced(identity, `${identity} ${event.periods[0]?.periodId} got an outcome`)
    }
  }

  /** A record was found in the journal after the end of a daemon, which may have died before it knew that it was durable. */
  found({ Identity, Event }: StateRecord): void {
    this.settle(Identity, Event)
  }

  private settle(identity: string, event: StateEvent): void {
    if (event.kind === 'intended' || event.kind === 'adopted')
      this.periods.set(event.execution.ExecutionID, event.execution.PeriodID)
    else if (event.kind === 'started') {
      const periodId = this.periods.get(event.executionId)
      if (periodId !== undefined) this.over.add(keyOf(identity, periodId))
    } else if (event.kind === 'notExecuted') {
      for (const { periodId, reason } of event.periods)
        if (reason !== 'state_corrupt') this.over.add(keyOf(identity, periodId))
    }
  }

  /** Whether the end of the process could be observed; a process that went down with its machine has none. */
  hasEnded(executionId: string): boolean {
    return this.processes.get(executionId)?.process.ending !== undefined
  }

  /**
   * Whether a period of the job is over although a file of this age cannot know of it: its window opens later. Then the
   * clock was set back, or the window moved, and the loss of the file cannot be repaired.
   */
  outran(identity: string, entry: Entry | undefined, modifiedAt: number): boolean {
    if (entry === undefined) return true
    const told = modifiedAt / 1_000 - startOffset(entry.schedule.window)
    const prefix = `${identity} `
    return this.over.keys().some(key => key.startsWith(prefix) && secondsOf(key.slice(prefix.length)) > told)
  }

  /** Everything must have been reported by now, but for messages that are still on their way. */
  heardAll(): void {
    const since = this.surroundings.monotonic() - LONGEST_SILENCE
    for (const [key, missing] of this.missingReports) {
      if (missing.since > since) continue
      this.accuse(['EXECUTION 5'], `the daemon did not report ${missing.what}`)
      this.missingReports.delete(key)
    }
  }

  private expect(key: string, what: string): void {
    this.missingReports.set(key, { what, since: this.surroundings.monotonic() })
  }

  /** The daemon is gone, and with it its unsent reports. */
  silenced(): void {
    this.missingReports.clear()
  }

  private reported(identity: string, periodId: string, outcome: string): void {
    this.outcome(identity, periodId, outcome)
    this.over.add(keyOf(identity, periodId))
    this.fresh.add(keyOf(identity, periodId))
  }

  /** An outcome of a period, reported or found on the disk. */
  outcome(identity: string, periodId: string, outcome: string): void {
    const key = keyOf(identity, periodId)
    const found = this.once.outcome(key, outcome, 'the daemon')
    if (found?.kind === 'changed') {
      const terminal: Invariant[] = found.from === 'unschedulable' ? ['ERROR-MODEL 6'] : []
      this.accuse(['SPEC 5', 'STATE 4', ...terminal], inWords(found))
    }
    this.outcomes.set(key, outcome)
  }

  private finished(event: Event): void {
    const id = String(fieldOf(event, 'executionId'))
    this.missingReports.delete(id)
    const start = this.processes.get(id)
    if (start === undefined || !start.durable || start.life !== this.surroundings.life()) return
    const { isUnseen, ending } = start.process
    // A command whose shim was killed has no known exit status, so none may be told.
    const { exitCode = null, signal = null } = (isUnseen ? undefined : ending) ?? {}
    const said = `${fieldOf(event, 'exitCode')} ${fieldOf(event, 'signal') ?? null}`
    if (said !== `${exitCode} ${signal}`)
      this.accuse(['EXECUTION 5'], `${id} ended with ${exitCode} ${signal}, but ${said} was said`)
  }

  private advanced(identity: string, what: string): void {
    if (this.entries.get(identity)?.schedule.policy.suspend)
      this.accuse(['SPEC 6'], `${what} while the job was suspended`)
  }
}
