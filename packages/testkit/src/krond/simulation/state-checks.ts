import { isHandled, next } from '@kron/core'
import { activeOf, handledOf, type State } from '@kron/host'
import { durableStates, type KnownStates } from './durable-states.ts'
import type { Invariant } from './invariant.ts'
import type { Machine } from './machine.ts'
import { JOB_FILE } from './places.ts'
import { secondsOf } from './start-checks.ts'
import type { Witness } from './witness.ts'

/** After jumps and long sleeps a daemon reads the clock within a minute. */
const PATIENCE = 61
/** Seconds after which every message has come, also the second of two in a row. */
const LONGEST_WAIT = 32

/** The end of a daemon after an orderly stop that finished, of a daemon without one, or of the machine. */
export type End = 'stop' | 'daemon' | 'powerCut'

/** Compares the disk, and the daemon's view, with the observations of the witness. */
export class StateChecks {
  private readonly machine: Machine
  private readonly witness: Witness
  private readonly watermarks = new Map<string, string>()
  /**
   * The watermarks from before a daemon ended without an orderly stop. It may have written a record without syncing it, and
   * until the next daemon has started, a power cut can take such a record away.
   */
  private readonly beforeKill = new Map<string, string>()
  /**
   * The periods that daemons which have ended had started or told. Their records were durable before that, so the disk has
   * them at every end, also when the next daemon dies while it starts and the power is cut then.
   */
  private readonly told = new Set<string>()
  private readonly known: KnownStates = new Map()
  /** Jobs whose state file is corrupted and not yet repaired. */
  private readonly destroyed = new Set<string>()

  constructor(machine: Machine, witness: Witness) {
    this.machine = machine
    this.witness = witness
  }

  /** The state file of a job is corrupted. */
  corrupted(identity: string): void {
    this.destroyed.add(identity)
    this.watermarks.delete(identity)
    this.witness.corrupted.add(identity)
    for (const start of this.witness.starts.values())
      if (start.process.identity === identity) start.corruptedSince = true
  }

  /** Checks the disk after an end. */
  async left(names: readonly string[], end: End): Promise<void> {
    const { witness, machine } = this
    for (const key of witness.fresh) this.told.add(key)
    witness.fresh.clear()
    const identities = names
      .map(name => `${JOB_FILE}:${name}`)
      .filter(identity => !this.destroyed.has(identity))
    try {
      const states = await durableStates(machine.disk, identities, this.known, record =>
        witness.found(record),
      )
      for (const [index, identity] of identities.entries()) this.judge(identity, states[index], end)
    } catch (error) {
      witness.accuse(['krond durability'], (error as Error).message)
    }
    if (machine.gaveUp) this.checkEnded()
  }

  /** Checks after a start that the daemon follows exactly the running processes, once late messages have come. */
  async followed(): Promise<void> {
    const { machine, witness } = this
    this.beforeKill.clear()
    this.told.clear()
    for (const identity of this.destroyed) if (this.isRepaired(identity)) this.destroyed.delete(identity)
    const suspicions = this.unfollowed()
    if (suspicions.size === 0) return
    await machine.run(LONGEST_WAIT)
    if (machine.isDead) return
    const still = this.unfollowed()
    for (const [id, suspicion] of suspicions) if (still.has(id)) witness.accuse(['STATE 5'], suspicion)
  }

  /** Whether the daemon has recorded the state of the job anew: it has found the runs of a job whose file was destroyed. */
  private isRepaired(identity: string): boolean {
    const { machine, witness } = this
    const { driver } = machine.daemon!
    const isLookedUp = [...driver.jobs.slots()].some(
      slot => driver.jobs.entry(slot)!.identity === identity && driver.isLookedUp(slot),
    )
    return witness.entries.has(identity) && !isLookedUp
  }

  /** By execution: the runs that the daemon does not know, and the other way round. */
  private unfollowed(): Map<string, string> {
    const { machine, witness } = this
    const found = new Map<string, string>()
    const followed = new Set(machine.daemon!.driver.running().map(each => each.id))
    for (const { identity, executionId } of machine.processes.living) {
      if (witness.entries.has(identity) && !followed.has(executionId))
        found.set(executionId, `${identity} ${executionId} runs, but the daemon does not follow it`)
      followed.delete(executionId)
    }
    for (const id of followed) {
      // A run that ended a moment ago is about to be released.
      if (!witness.hasEnded(id)) found.set(id, `the daemon follows ${id}, which does not run`)
    }
    return found
  }

  /** Checks, while a daemon is up and the clock is steady, that no due job waits for ever. */
  attended(): void {
    const { driver } = this.machine.daemon!
    const { jobs } = driver
    const now = this.machine.clock.now() / 1_000
    for (const slot of jobs.slots()) {
      if (driver.isLookedUp(slot)) continue
      const { identity, schedule } = jobs.entry(slot)!
      const at = driver.nextTrigger(slot)
      if (at !== undefined && now - at > PATIENCE)
        this.witness.accuse(['krond liveness'], `${identity} waits for ${now - at} s`)
      const ends = schedule.policy.suspend || next(schedule.cron, schedule.zone, now) === undefined
      if (at === undefined && !ends) this.witness.accuse(['krond liveness'], `${identity} waits for nothing`)
    }
  }

  private judge(identity: string, state: State | undefined, end: End): void {
    const { witness, machine } = this
    const handled = state && handledOf(state)
    const active = state === undefined ? [] : activeOf(state)
    for (const key of this.told) {
      if (!key.startsWith(`${identity} `)) continue
      const periodId = key.slice(identity.length + 1)
      if (active.some(each => each.PeriodID === periodId)) continue
      if (handled !== undefined && isHandled(handled, secondsOf(periodId))) continue
      const terminal: Invariant[] = witness.outcomes.get(key) === 'unschedulable' ? ['ERROR-MODEL 6'] : []
      if (witness.starts.has(key)) witness.accuse(['STATE 2', 'EXECUTION 3'], `${key} ran, and is forgotten`)
      else witness.accuse(['STATE 4', ...terminal], `the outcome of ${key} was told, and is forgotten`)
    }
    for (const process of machine.processes.living) {
      if (process.identity !== identity) continue
      if (!active.some(each => each.ExecutionID === process.executionId))
        witness.accuse(['STATE 5'], `${identity} ${process.executionId} runs, and is forgotten`)
    }
    if (state !== undefined) this.compare(identity, state, end)
  }

  private compare(identity: string, state: State, end: End): void {
    const { witness, beforeKill } = this
    for (const { PeriodID, Outcome, Reason } of state.History) {
      if (Reason !== 'state_corrupt') witness.outcome(identity, PeriodID, Outcome)
    }
    const last = this.watermarks.get(identity) ?? ''
    const watermark = end === 'powerCut' ? (beforeKill.get(identity) ?? last) : last
    // A watermark may only fall after a clock that was ahead; the loss of what was told was checked before.
    if (state.HandledThrough < watermark && !witness.hasReopened)
      witness.accuse(['STATE 3'], `the watermark of ${identity} fell from ${watermark}`)
    if (end !== 'daemon') beforeKill.delete(identity)
    else if (!beforeKill.has(identity)) beforeKill.set(identity, last)
    this.watermarks.set(identity, state.HandledThrough)
    const periods = activeOf(state).map(each => each.PeriodID)
    if (new Set(periods).size < periods.length)
      witness.accuse(['STATE 1'], `${identity} is active twice in one period`)
  }

  /** A daemon that gave up must have killed every run whose start it could not record. */
  private checkEnded(): void {
    for (const { process, life, durable } of this.witness.starts.values()) {
      const cannotEnd = process.stubborn || process.isKilled
      if (life === this.machine.life && process.alive && !durable && !cannotEnd)
        this.witness.accuse(['ERROR-MODEL 5'], `${process.executionId} is not on record, and goes on`)
    }
  }
}
