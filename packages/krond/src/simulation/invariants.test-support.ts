import assert from 'node:assert/strict'
import { activeOf, decide, parseInstant, type State } from '@kron/core'
import { entriesOf, type Machine } from './machine.test-support.ts'

const instant = (text: string): number => {
  const parsed = parseInstant(text)
  assert.ok(parsed.ok, text)
  return parsed.value
}

/** What must hold at every moment of every simulated history; throws at the first thing that does not. */
export class Invariants {
  private readonly machine: Machine
  private readonly outcomes = new Map<string, string>()
  private readonly watermarks = new Map<string, string>()
  private readonly seen = new Set<string>()
  private checked = 0

  constructor(machine: Machine) {
    this.machine = machine
  }

  /** SPEC 1–3: what started lies in its window, at its deterministic second or later, and never twice. */
  starts(lines: readonly string[]): void {
    const entries = new Map(entriesOf(lines).map(entry => [entry.identity, entry]))
    const { started } = this.machine.processes
    for (; this.checked < started.length; this.checked++) {
      const { identity, periodId, chosenTime, beside } = started[this.checked]!
      const key = `${identity} ${periodId}`
      assert.ok(!this.seen.has(key), `SPEC invariant 2: ${key} started twice`)
      this.seen.add(key)
      const entry = entries.get(identity)
      if (entry === undefined) continue
      const { concurrency } = entry.schedule.policy
      assert.ok(
        concurrency === 'allow' || beside === 0,
        `${key} started beside ${beside} others with ${concurrency}`,
      )
      const { chosen, windowStart, windowEnd } = decide(entry, instant(periodId))
      assert.ok(chosen !== null, `SPEC invariant 7: ${key} is unschedulable, yet it started`)
      assert.equal(instant(chosenTime), chosen, `SPEC invariant 3: ${key} has another chosen time`)
      assert.ok(windowStart <= chosen && chosen <= windowEnd, `SPEC invariant 1: ${key} outside its window`)
    }
  }

  /** STATE 1–7 and SPEC 5: states are readable, outcomes permanent, watermarks never fall. */
  async states(names: Iterable<string>): Promise<void> {
    for (const name of names) {
      const state = await this.machine.state(name)
      if (state !== undefined) this.state(state)
    }
  }

  private state(state: State): void {
    const { Identity: identity } = state
    for (const { PeriodID, Outcome } of state.History) {
      const key = `${identity} ${PeriodID}`
      const before = this.outcomes.get(key)
      assert.ok(
        before === undefined || before === Outcome,
        `SPEC invariant 5: ${key} was ${before}, is ${Outcome}`,
      )
      this.outcomes.set(key, Outcome)
      if (Outcome !== 'executed') assert.ok(!this.seen.has(key), `${key} is ${Outcome}, yet it started`)
    }
    const watermark = this.watermarks.get(identity) ?? ''
    assert.ok(state.HandledThrough >= watermark, `STATE invariant 3: the watermark of ${identity} fell`)
    this.watermarks.set(identity, state.HandledThrough)
    const active = activeOf(state).map(each => each.PeriodID)
    assert.equal(
      new Set(active).size,
      active.length,
      `STATE invariant 1: ${identity} is active twice in one period`,
    )
  }
}
