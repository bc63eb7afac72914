import { printInstant, SystemError } from '@kron/core'
import {
  type Entry,
  type KeptOutput,
  NOTIFY_EVENTS,
  type NotifyEvent,
  type NotifyTarget,
  outcomesOf,
  printTarget,
  type State,
  usageRecord,
} from '@kron/host'
import type { NotifyTestResult, OutcomeRecord } from '@kron/host/api'
import { isFailed, outcomeOfEvent } from '../http/outcome-record.ts'
import type { Emit, Event } from '../log/event.ts'
import * as events from '../log/event.ts'
import { type DeliveryOptions, deliver } from './delivery.ts'
import { Lane } from './lane.ts'
import { type Message, messageOf } from './message.ts'
import { eventsOf, isRecovery, keyOf, type Notice } from './notice.ts'
import type { Outbox } from './outbox.ts'
import { targetLabel } from './target-label.ts'

export interface NotificationsParts {
  readonly outbox: Outbox
  readonly delivery: DeliveryOptions
  /** The settings of jobs without keys of their own. */
  readonly defaults: { readonly notify: readonly NotifyTarget[]; readonly notifyOn: readonly NotifyEvent[] }
  readonly host: string
  readonly emit: Emit
  /** The job as it is defined now. */
  findEntry(identity: string): Entry | undefined
  peek(identity: string): Promise<State | undefined>
  readOutput(runId: string): KeptOutput | undefined
  /** Epoch milliseconds. */
  now(): number
  /** Resolves when no job waits to be started. */
  idle(): Promise<void>
  readonly firstBackoffMs?: number
}

/** A target is tried for this long. */
const LONGEST_DELIVERY_MS = 86_400_000
const MOST_OPEN = 10_000

/** Counts since the daemon started, and the state of the outbox now. */
export interface NotificationFigures {
  /** Messages that a target accepted. */
  readonly delivered: number
  /** Tries that a target refused or did not answer. */
  readonly failedTries: number
  /** Messages that were given up. */
  readonly lost: number
  /** Notices that some target has not received yet, and the age of the oldest; 0 if there is none. */
  readonly waiting: number
  readonly oldestSeconds: number
}

/**
 * Notifies people of outcomes. An outcome first becomes a durable notice; then its message is made and sent to each
 * target. Starts and reloads never wait for this.
 */
export class Notifications {
  readonly #counts = { delivered: 0, failedTries: 0, lost: 0 }
  readonly #parts: NotificationsParts
  readonly #lanes = new Map<string, Lane>()
  /** Outcomes of this turn of the event loop, which are grouped into notices. */
  #fresh: OutcomeRecord[] = []
  #recording: Promise<unknown> = Promise.resolve()
  /** Jobs whose last run succeeded; the last result of all other jobs is unknown. */
  readonly #well = new Set<string>()

  constructor(parts: NotificationsParts) {
    this.#parts = parts
  }

  /** Continues with the notices that an earlier daemon left. */
  start(): void {
    for (const { notice } of [...this.#parts.outbox.notices]) void this.#expand(notice)
  }

  observe(event: Event): void {
    const record = outcomeOfEvent(event, printInstant(Math.floor(this.#parts.now() / 1_000)))
    if (record !== undefined) this.learn(record)
  }

  /** An outcome, seen now or found in the state after a crash. */
  learn(record: OutcomeRecord): void {
    const wanted = this.#wantedBy(record.identity)
    const isUnwell = !this.#well.has(record.identity)
    if (record.kind === 'succeeded') this.#well.add(record.identity)
    else if (isFailed(record)) this.#well.delete(record.identity)
    if (wanted === undefined || eventsOf(record, wanted, isUnwell).length === 0) return
    this.#fresh.push(record)
    if (this.#fresh.length === 1) this.#recording = this.#recording.then(() => this.#record())
  }

  /** Resolves when every outcome so far is durable as a notice. */
  async outcomesStored(): Promise<void> {
    await this.#recording
  }

  /** Sends one message of each event to each target of the job now, and returns the results. */
  async test(entry: Entry): Promise<readonly NotifyTestResult[]> {
    const targets = entry.settings.notify ?? this.#parts.defaults.notify
    const results: NotifyTestResult[] = []
    for (const target of targets) {
      for (const event of NOTIFY_EVENTS) {
        const message = this.#sample(entry, event)
        const error = await deliver(target, message, this.#parts.delivery).then(
          () => null,
          (error: Error) => error.message,
        )
        results.push({ target: targetLabel(target), event, error })
      }
    }
    return results
  }

  async stop(): Promise<void> {
    for (const lane of this.#lanes.values()) lane.stop()
    await this.outcomesStored()
  }

  get figures(): NotificationFigures {
    const { outbox, now } = this.#parts
    const { oldest } = outbox
    const oldestSeconds = oldest === undefined ? 0 : Math.max(0, Math.floor(now() / 1_000) - oldest)
    return { ...this.#counts, waiting: outbox.size, oldestSeconds }
  }

  #wantedBy(identity: string): readonly NotifyEvent[] | undefined {
    const settings = this.#parts.findEntry(identity)?.settings
    const { notify, notifyOn } = this.#parts.defaults
    if (settings === undefined || (settings.notify ?? notify).length === 0) return undefined
    return settings.notifyOn ?? notifyOn
  }

  async #record(): Promise<void> {
    // Periods that were missed together are recorded in one turn.
    await new Promise(resolve => setImmediate(resolve))
    const fresh = this.#fresh
    this.#fresh = []
    const notices = noticesOf(fresh, record => this.#wantedBy(record.identity) ?? [], this.#parts.now())
    await Promise.all(notices.map(notice => this.#add(notice)))
  }

  async #add(notice: Notice): Promise<void> {
    const { outbox } = this.#parts
    if (outbox.size >= MOST_OPEN) {
      this.#lose(notice, `more than ${MOST_OPEN} notifications wait already`)
      return
    }
    try {
      if (await outbox.add(notice)) void this.#expand(notice)
    } catch (error) {
      // The disk is full: only this message is lost.
      this.#lose(notice, (error as Error).message)
    }
  }

  /** Gives the notice to each target that has not received it yet. */
  async #expand(notice: Notice): Promise<void> {
    const { outbox, findEntry, defaults, idle } = this.#parts
    await idle()
    if (notice.event === 'recovered' && !(await this.#isRecovery(notice))) return this.#tellSuccess(notice)
    const { identity, runId } = notice.record
    const entry = findEntry(identity)
    const done = outbox.doneOf(notice.key)
    const targets = (entry?.settings.notify ?? defaults.notify).filter(
      target => entry !== undefined && !done.has(printTarget(target)),
    )
    if (targets.length === 0) return outbox.close(notice.key)
    const output = runId === null ? undefined : this.#parts.readOutput(runId)
    const message = messageOf(notice, { host: this.#parts.host, output })
    let left = targets.length
    for (const target of targets) {
      this.#send(target, notice, message, async () => {
        await outbox.markDone(notice.key, printTarget(target))
        if (--left === 0) await outbox.close(notice.key)
      })
    }
  }

  async #isRecovery({ record }: Notice): Promise<boolean> {
    return isRecovery(outcomesOfState(await this.#parts.peek(record.identity)), record)
  }

  /** The notice of a success that is no recovery: perhaps its output is wanted. */
  async #tellSuccess(notice: Notice): Promise<void> {
    const { record } = notice
    const events = eventsOf(record, this.#wantedBy(record.identity) ?? [], false)
    for (const event of events) await this.#add({ ...notice, key: keyOf(record, event), event })
    return this.#parts.outbox.close(notice.key)
  }

  #send(target: NotifyTarget, notice: Notice, message: Message, done: () => Promise<void>): void {
    const { emit, delivery, now, idle, firstBackoffMs } = this.#parts
    const name = printTarget(target)
    const lane =
      this.#lanes.get(name) ?? new Lane({ now, ...(firstBackoffMs === undefined ? {} : { firstBackoffMs }) })
    this.#lanes.set(name, lane)
    // A full disk must not end the daemon. The next daemon sends this message again, with the same key.
    const removeNotice = (): Promise<void> =>
      done().catch((error: Error) => emit(events.warned('notify', `the outbox: ${error.message}`)))
    let tries = 0
    lane.add({
      expiresAt: notice.at * 1_000 + LONGEST_DELIVERY_MS,
      send: async () => {
        tries++
        await idle()
        await deliver(target, message, delivery)
      },
      done: async () => {
        this.#counts.delivered++
        emit(events.notified(notice.record, notice.event, targetLabel(target)))
        await removeNotice()
      },
      // Logged once: the tries go on for a day.
      failed: why => {
        this.#counts.failedTries++
        if (tries === 1) emit(events.notNotified(notice.record, notice.event, targetLabel(target), why))
      },
      givenUp: async why => {
        this.#counts.failedTries++
        this.#lose(notice, `${targetLabel(target)} did not take it within a day: ${why}`)
        await removeNotice()
      },
    })
  }

  #lose(notice: Notice, why: string): void {
    this.#counts.lost++
    this.#parts.emit(events.failed(lost(notice, why)))
  }

  #sample({ identity }: Entry, event: NotifyEvent): Message {
    const at = printInstant(Math.floor(this.#parts.now() / 1_000))
    const isRun = event === 'recovered' || event === 'output'
    const kind = isRun ? 'succeeded' : event
    const isExecuted = kind === 'succeeded' || kind === 'failed' || kind === 'timed_out'
    const record: OutcomeRecord = {
      ...{ identity, runId: null, trigger: 'schedule', by: null, periodId: at, kind },
      outcome: isExecuted ? 'executed' : (kind as 'missed' | 'unschedulable'),
      reason: kind === 'timed_out' ? 'timeout' : kind === 'missed' ? 'deadline' : '',
      exitCode: kind === 'failed' ? 1 : isRun ? 0 : null,
      signal: kind === 'timed_out' ? 'SIGTERM' : null,
      ...{ nominalTime: at, chosenTime: at, startedAt: isExecuted ? at : null, completedAt: at },
      durationMs: null,
      ...usageRecord({}),
    }
    const notice = { key: keyOf(record, event), event, record, count: 1, at: 0 }
    return messageOf(notice, { host: this.#parts.host, output: undefined, isTest: true })
  }
}

/** One notice per job, period and event; periods of one job that were missed together share one notice. */
function noticesOf(
  records: readonly OutcomeRecord[],
  wantedBy: (record: OutcomeRecord) => readonly NotifyEvent[],
  now: number,
): Notice[] {
  const notices = new Map<string, Notice>()
  for (const record of records) {
    for (const event of eventsOf(record, wantedBy(record), true)) {
      const isRun = record.outcome === 'executed'
      const group = isRun ? keyOf(record, event) : `${record.identity} ${event}`
      const count = (notices.get(group)?.count ?? 0) + 1
      notices.set(group, { key: keyOf(record, event), event, record, count, at: Math.floor(now / 1_000) })
    }
  }
  return [...notices.values()]
}

const outcomesOfState = (state: State | undefined): readonly OutcomeRecord[] =>
  state === undefined ? [] : outcomesOf(state)

const lost = ({ event, record }: Notice, why: string): SystemError =>
  new SystemError(`a notification was not delivered (event ${event}): ${why}`, {
    component: 'daemon',
    operation: 'notify',
    identity: record.identity,
    ...(record.periodId === null ? {} : { periodId: record.periodId }),
  })
