import {
  closedThrough,
  type Decision,
  type Handled,
  type KronError,
  markHandled,
  type Outcome,
  printInstant,
  type Schedule,
} from '@kron/core'
import { handledRecordOf, type StateEvent } from '@kron/host'
import * as events from '../log/event.ts'
import type { JobTable } from './job-table.ts'
import { PendingPeriods } from './pending.ts'
import type { Ports } from './ports.ts'

export interface NotExecutedPeriod {
  readonly decision: Decision
  readonly outcome: Exclude<Outcome, 'executed'>
  readonly reason: string
}

/** Turns what happened into state events: marks the table first, then makes it durable. A failed write is fatal. */
export class Recorder {
  readonly pending = new PendingPeriods()
  private readonly jobs: JobTable
  private readonly ports: Ports

  constructor(jobs: JobTable, ports: Ports) {
    this.jobs = jobs
    this.ports = ports
  }

  /** Resolves when durable; false after a failed write, when nothing may be scheduled any more. */
  async record(slot: number, identity: string, event: StateEvent): Promise<boolean> {
    try {
      await this.ports.store.record(identity, this.jobs.nextSeq(slot), event)
      return true
    } catch (error) {
      this.ports.fatal(error as KronError)
      return false
    }
  }

  notExecuted(slot: number, periods: readonly NotExecutedPeriod[], now: number, lookedAt = now): void {
    const first = periods[0]
    if (first === undefined) return
    const nominals = periods.map(each => each.decision.nominal)
    const handled = this.markHandled(slot, first.decision.job.schedule, nominals, lookedAt)
    const durable = this.record(slot, first.decision.job.identity, {
      kind: 'notExecuted',
      periods: periods.map(({ decision, outcome, reason }) => ({
        outcome,
        reason,
        periodId: printInstant(decision.nominal),
        chosenTime: decision.chosen === null ? '' : printInstant(decision.chosen),
        seedHash: decision.seedHash,
      })),
      at: printInstant(now),
      handled: handledRecordOf(handled),
    })
    // Told only when it cannot change any more.
    void durable.then(isDurable => {
      if (!isDurable) return
      for (const { decision, outcome, reason } of periods)
        this.ports.emit(events.notExecuted(decision, outcome, reason))
    })
  }

  /**
   * The watermark with these periods in it; it never passes a period that still waits for its outcome, nor one that
   * closed after the job was `lookedAt`, which nobody has named yet.
   */
  markHandled(slot: number, judgedBy: Schedule, nominals: readonly number[], lookedAt: number): Handled {
    // After a reload it is the new definition that tells which periods there are to pass.
    const schedule = this.jobs.entry(slot)?.schedule ?? judgedBy
    const open = this.pending.of(slot).map(each => each.decision.nominal)
    const waiting = open.filter(each => !nominals.includes(each))
    const closed = Math.min(closedThrough(schedule, lookedAt), ...waiting.map(each => each - 1))
    const handled = markHandled(this.jobs.handled(slot), nominals, schedule, closed)
    this.jobs.setHandled(slot, handled)
    return handled
  }
}
