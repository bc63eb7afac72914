import { lastStart, printInstant, upcoming } from '@kron/core'
import type { Entry } from '@kron/host'
import { isFailed, outcomeOfEvent } from '../http/outcome-record.ts'
import type { Emit, Event } from '../log/event.ts'
import * as events from '../log/event.ts'
import { post } from './delivery.ts'
import { Lane } from './lane.ts'
import { targetLabel } from './target-label.ts'

export interface PingsParts {
  readonly host: string
  readonly emit: Emit
  findEntry(identity: string): Entry | undefined
  /** Epoch milliseconds. */
  now(): number
  idle(): Promise<void>
  readonly patienceMs: number
  readonly firstBackoffMs?: number
}

/** A heartbeat that is sent later would report a wrong time to the monitor. */
const EXPIRES_MS = 10 * 60_000

type RunEvent = Extract<Event, { readonly event: 'started' | 'finished' }>

/**
 * Heartbeats for dead-man monitors: `<url>/start`, `<url>` after a success, `<url>/fail`. A restart drops them: a
 * monitor that misses one raises its alarm, which is the safe side.
 */
export class Pings {
  readonly #parts: PingsParts
  readonly #lanes = new Map<string, Lane>()

  constructor(parts: PingsParts) {
    this.#parts = parts
  }

  observe(event: Event): void {
    if (event.event !== 'started' && event.event !== 'finished') return
    const entry = this.#parts.findEntry(event.identity)
    const url = entry?.settings.ping ?? null
    if (entry === undefined || url === null) return
    const outcome = outcomeOfEvent(event, '')
    const word = outcome === undefined ? 'start' : isFailed(outcome) ? 'fail' : 'success'
    // A replaced or unobserved run proves neither success nor failure.
    if (outcome !== undefined && word === 'success' && outcome.kind !== 'succeeded') return
    this.#send(url, word, entry, event)
  }

  stop(): void {
    for (const lane of this.#lanes.values()) lane.stop()
  }

  #send(url: string, word: 'start' | 'success' | 'fail', entry: Entry, event: RunEvent): void {
    const { now, idle, emit, patienceMs, firstBackoffMs } = this.#parts
    const lane =
      this.#lanes.get(url) ?? new Lane({ now, ...(firstBackoffMs === undefined ? {} : { firstBackoffMs }) })
    this.#lanes.set(url, lane)
    const address = word === 'success' ? url : `${url.replace(/\/$/, '')}/${word}`
    const body = JSON.stringify(this.#body(entry, event, word))
    const label = targetLabel({ kind: 'webhook', url }).replace('webhook:', 'ping:')
    lane.add({
      expiresAt: now() + EXPIRES_MS,
      send: async () => {
        await idle()
        await post(address, body, { 'content-type': 'application/json', 'user-agent': 'krond' }, patienceMs)
      },
      done: async () => {},
      failed: () => {},
      givenUp: async why =>
        emit(events.warned('ping', `${label} took no heartbeat of ${entry.identity}: ${why}`)),
    })
  }

  /** Holds the next period and its last possible start, so that a monitor need not guess a grace time. */
  #body(entry: Entry, event: RunEvent, word: string) {
    const now = Math.floor(this.#parts.now() / 1_000)
    const next = firstAfter(entry, now)
    return {
      event: word,
      host: this.#parts.host,
      job: entry.name,
      identity: entry.identity,
      period: event.periodId || null,
      exitCode: event.event === 'finished' ? event.exitCode : null,
      at: printInstant(now),
      next,
    }
  }
}

function firstAfter(entry: Entry, now: number) {
  if (entry.schedule.policy.suspend) return null
  for (const { nominal, chosen } of upcoming(entry, now + 1)) {
    if (chosen === null) continue
    return {
      period: printInstant(nominal),
      chosenTime: printInstant(chosen),
      lastStart: printInstant(lastStart(entry.schedule.policy, chosen)),
    }
  }
  return null
}
