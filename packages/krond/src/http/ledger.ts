import { printInstant } from '@kron/core'
import { outcomesOf, type State } from '@kron/host'
import type { Event } from '../log/event.ts'
import { RecentRuns } from './job-statistics.ts'
import { LastOutcomes } from './last-outcomes.ts'
import { type OutcomeRecord, outcomeOfEvent } from './outcome-record.ts'
import { Problems } from './problems.ts'
import { RecentOutcomes } from './recent-outcomes.ts'

const REMEMBERED = 5_000

/** The summary of all jobs for observers, in bounded memory: read from state files at start, then updated by events. */
export class Ledger {
  readonly recent = new RecentOutcomes(REMEMBERED)
  /** Kept apart, so that many successes cannot push out the few troubles. */
  readonly troubles = new RecentOutcomes(REMEMBERED)
  readonly last = new LastOutcomes()
  readonly problems = new Problems()
  readonly runs = new RecentRuns()
  /** The earliest time at which a krond saw one of the loaded jobs; empty if no state was loaded. */
  firstSeen = ''
  /** Changes with everything that a list may show. */
  revision = 0
  /** Changes when jobs come, go or are redefined. */
  configuration = 0
  readonly #now: () => number

  constructor(now: () => number) {
    this.#now = now
  }

  loaded(state: State): void {
    this.last.learnState(state)
    if (this.firstSeen === '' || state.FirstSeen < this.firstSeen) this.firstSeen = state.FirstSeen
    for (const record of outcomesOf(state)) this.#keep(record)
  }

  observe(event: Event): void {
    if (event.level === 'debug') return
    this.revision++
    if (event.event === 'reload' || event.event === 'started_daemon') this.configuration++
    const record = outcomeOfEvent(event, printInstant(Math.floor(this.#now() / 1_000)))
    if (record === undefined) return
    this.last.learn(record)
    this.#keep(record)
  }

  #keep(record: OutcomeRecord): void {
    this.recent.add(record)
    if (record.kind !== 'succeeded') this.troubles.add(record)
    this.problems.learn(record)
    this.runs.learn(record)
  }
}
