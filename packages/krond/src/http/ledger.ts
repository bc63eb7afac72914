import { printInstant } from '@kron/core'
import type { State } from '@kron/host'
import type { Event } from '../log/event.ts'
import { LastOutcomes } from './last-outcomes.ts'
import { isFailed, type OutcomeRecord, outcomeOfEntry, outcomeOfEvent } from './outcome-record.ts'
import { RecentOutcomes } from './recent-outcomes.ts'

const REMEMBERED = 5_000

/** What observers remember of all jobs, in bounded memory: learnt from state files at start, then from events. */
export class Ledger {
  readonly recent = new RecentOutcomes(REMEMBERED)
  /** Apart, so that many successes cannot push the few troubles out. */
  readonly troubles = new RecentOutcomes(REMEMBERED)
  readonly last = new LastOutcomes()
  /** Changes with everything that a list may show. */
  revision = 0
  /** Changes when jobs come, go or are redefined. */
  configuration = 0
  private readonly now: () => number

  constructor(now: () => number) {
    this.now = now
  }

  loaded(state: State): void {
    this.last.learnState(state)
    for (const entry of state.History) this.keep(outcomeOfEntry(state.Identity, entry))
  }

  observe(event: Event): void {
    if (event.level === 'debug') return
    this.revision++
    if (event.event === 'reload' || event.event === 'started_daemon') this.configuration++
    const record = outcomeOfEvent(event, printInstant(Math.floor(this.now() / 1_000)))
    if (record === undefined) return
    this.last.learn(record)
    this.keep(record)
  }

  private keep(record: OutcomeRecord): void {
    this.recent.add(record)
    if (record.outcome !== 'executed' || isFailed(record)) this.troubles.add(record)
  }
}
