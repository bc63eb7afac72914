import { closedThrough, type Decision, decide, lastStart, next, parseInstant } from '@kron/core'
import type { Entry, NotExecuted } from '@kron/host'
import { inWords } from '../../once/once.ts'
import type { Life } from './fault-plan.ts'
import type { Invariant } from './invariant.ts'
import { LONGEST_LINGERING } from './random-behaviour.ts'
import type { VirtualRequest as StartRequest, VirtualProcess } from './virtual-processes.ts'
import { keyOf, type Start, type Witness } from './witness.ts'

/** Seconds after which a start is late: a start in its own second does not catch up with anything. */
const ON_TIME = 1
/** A replacement is judged before it waits for the old run to end, and before an earlier replacement does the same. */
const TO_REPLACE = ON_TIME + (3 * LONGEST_LINGERING) / 1_000

/** A start that was judged in time may be on its way to the shim for a moment. */
const ON_ITS_WAY = 1

export function secondsOf(time: string): number {
  const instant = parseInstant(time)
  return instant.ok ? instant.value : Number.NaN
}

/** The rules that every start of a process must satisfy. */
export class StartChecks {
  private readonly witness: Witness
  /** The late starts of each job in the current epoch, by identity. */
  private readonly late = new Map<string, { epoch: number; count: number }>()

  constructor(witness: Witness) {
    this.witness = witness
  }

  check(process: VirtualProcess, request: StartRequest, life: Life): void {
    const { witness } = this
    const key = keyOf(process.identity, process.periodId)
    this.checkOnce(key, process, life)
    this.checkIntent(key, request, life)
    const entry = witness.definitionOf(request)
    if (entry === undefined)
      return witness.accuse(['ERROR-MODEL 3'], `${key} started, but no valid configuration has the job`)
    if (entry.schedule.policy.suspend) witness.accuse(['SPEC 6'], `${key} started while suspended`)
    const { concurrency } = entry.schedule.policy
    if (concurrency !== 'allow' && process.beside > 0)
      witness.accuse(['krond concurrency'], `${key} started beside ${process.beside} with ${concurrency}`)
    this.checkDecision(key, entry, request)
    this.checkTime(key, entry, request)
  }

  /** One outcome may close a backlog of any length: it names only the open periods and one before them. */
  checkBacklog(identity: string, periods: readonly NotExecuted[]): void {
    const entry = this.witness.entries.get(identity)
    if (entry === undefined || periods.length < 2) return
    const closed = closedThrough(entry.schedule, this.now())
    const old = periods.filter(each => secondsOf(each.periodId) <= closed)
    if (old.length > 1)
      this.witness.accuse(['SPEC 4', 'EXECUTION 2'], `${identity} recorded ${old.length} closed periods`)
  }

  private now(): number {
    return Math.floor(this.witness.surroundings.now() / 1_000)
  }

  private checkOnce(key: string, process: VirtualProcess, life: Life): void {
    const { witness } = this
    const found = witness.once.ran(key, process.executionId)
    if (found === undefined) return
    const before = witness.starts.get(key)
    if (before !== undefined) return witness.accuse(duplicate(before, life), inWords(found))
    const terminal: Invariant[] = witness.outcomes.get(key) === 'unschedulable' ? ['ERROR-MODEL 6'] : []
    witness.accuse(['SPEC 5', 'STATE 3', 'STATE 4', ...terminal], inWords(found))
  }

  private checkIntent(key: string, { executionId }: StartRequest, life: Life): void {
    if (this.witness.intents.has(executionId)) return
    const failed: Invariant[] = life.failed ? ['ERROR-MODEL 5'] : []
    this.witness.accuse(['STATE 5', ...failed], `${key} started without a durable intent`)
  }

  private checkDecision(key: string, entry: Entry, request: StartRequest): void {
    const { witness } = this
    const { nominal, chosen } = request
    if (next(entry.schedule.cron, entry.schedule.zone, nominal - 1) !== nominal)
      return witness.accuse(['ERROR-MODEL 2'], `${key} started, but the schedule has no such period`)
    const truth: Decision = decide(entry, nominal)
    if (truth.chosen === null)
      return witness.accuse(['SPEC 7', 'ERROR-MODEL 2'], `${key} is unschedulable, yet it started`)
    if (chosen < truth.windowStart || chosen > truth.windowEnd)
      witness.accuse(['SPEC 1'], `${key} was chosen at ${chosen}, outside its window`)
    if (chosen !== truth.chosen)
      witness.accuse(['SPEC 3'], `${key} was chosen at ${chosen}, now at ${truth.chosen}`)
  }

  private checkTime(key: string, entry: Entry, { chosen }: StartRequest): void {
    const { witness } = this
    const now = this.now()
    if (now < chosen) witness.accuse(['krond trigger'], `${key} started ${chosen - now} s early`)
    const { policy } = entry.schedule
    const waits = policy.concurrency === 'replace'
    if (now > lastStart(policy, chosen) + (waits ? TO_REPLACE : ON_ITS_WAY))
      witness.accuse(['ERROR-MODEL 4'], `${key} started ${now - chosen} s late, beyond its deadline`)
    if (now <= chosen + (waits ? TO_REPLACE : ON_TIME) || witness.postponed.has(key)) return
    if (witness.surroundings.maxConcurrent < Number.POSITIVE_INFINITY) return
    const { epoch } = witness
    const late = this.late.get(entry.identity)
    const count = late?.epoch === epoch ? late.count + 1 : 1
    this.late.set(entry.identity, { epoch, count })
    if (count > 1) witness.accuse(['SPEC 4', 'EXECUTION 2'], `${key} is late start ${count} in a row`)
  }
}

/** The invariants that a second start of a period violates, depending on the first start. */
function duplicate(before: Start, life: Life): readonly Invariant[] {
  const always = ['SPEC 2', 'STATE 1', 'ERROR-MODEL 1', 'EXECUTION 1'] as const
  const restarted = before.life !== life ? (['STATE 2', 'EXECUTION 3'] as const) : []
  const handled = before.durable ? (['STATE 3'] as const) : []
  const corrupted = before.corruptedSince ? (['STATE 6'] as const) : []
  const failed = (before.process.ending?.exitCode ?? 0) !== 0
  const retried = failed && before.life === life ? (['ERROR-MODEL 7', 'EXECUTION 4'] as const) : []
  return [...always, ...restarted, ...handled, ...corrupted, ...retried]
}
