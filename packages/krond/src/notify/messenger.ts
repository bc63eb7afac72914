import { hostname } from 'node:os'
import { setImmediate as macrotask } from 'node:timers/promises'
import { ConfigurationError } from '@kron/core'
import { type Entry, outcomesOf, readKeptOutput, type State, type StateRecord } from '@kron/host'
import type { NotifyTestResult } from '@kron/host/api'
import type { Disk } from '@kron/runtime'
import type { DaemonOptions } from '../config/options.ts'
import { readSecret } from '../config/secret-file.ts'
import type { Emit, Event } from '../log/event.ts'
import { type NotificationFigures, Notifications } from './notifications.ts'
import { Outbox } from './outbox.ts'
import { Pings } from './pings.ts'

const LONGEST_TRY_MS = 30_000

export interface MessengerParts {
  readonly options: Pick<DaemonOptions, 'stateDir' | 'sendmail' | 'notify' | 'notifyOn' | 'notifySecretFile'>
  readonly disk: Disk
  readonly emit: Emit
  /** Epoch milliseconds. */
  readonly now: () => number
  readonly idle: () => Promise<void>
  readonly peek: (identity: string) => Promise<State | undefined>
}

/** All messages about runs to the outside world: notifications and heartbeats. */
export class Messenger {
  readonly #parts: MessengerParts
  readonly #outbox: Outbox
  readonly #notifications: Notifications
  readonly #pings: Pings
  /** Jobs that have a notification target or a heartbeat. */
  #entries = new Map<string, Entry>()

  private constructor(parts: MessengerParts, outbox: Outbox) {
    const { options, emit, now, idle, peek } = parts
    this.#parts = parts
    this.#outbox = outbox
    const common = { host: hostname(), emit, now, idle, findEntry: (id: string) => this.#entries.get(id) }
    this.#notifications = new Notifications({
      ...common,
      outbox,
      delivery: {
        sendmail: options.sendmail,
        secret: secretOf(options.notifySecretFile),
        patienceMs: LONGEST_TRY_MS,
      },
      defaults: options,
      peek,
      readOutput: runId => readKeptOutput(`${options.stateDir}/runs/${runId}.output`),
    })
    this.#pings = new Pings({ ...common, patienceMs: LONGEST_TRY_MS })
  }

  /** The state directory must be locked. */
  static async open(parts: MessengerParts): Promise<Messenger> {
    return new Messenger(parts, await Outbox.open(parts.disk, parts.options.stateDir))
  }

  /** Takes the current definitions of the jobs. */
  define(entries: Iterable<Entry>): void {
    const hasDefault = this.#parts.options.notify.length > 0
    this.#entries = new Map()
    for (const entry of entries) {
      const { notify, ping } = entry.settings
      if (hasDefault || notify !== null || ping !== null) this.#entries.set(entry.identity, entry)
    }
  }

  observe(event: Event): void {
    if (this.#entries.size === 0) return
    this.#notifications.observe(event)
    this.#pings.observe(event)
  }

  /** Continues where an earlier daemon ended; `journalled` may hold outcomes for which it sent no message. */
  async start(journalled: readonly StateRecord[]): Promise<void> {
    for (const [identity, runs] of outcomesIn(journalled)) {
      if (!this.#entries.has(identity)) continue
      const state = await this.#parts.peek(identity)
      for (const record of state === undefined ? [] : outcomesOf(state))
        if (runs.has(record.runId ?? record.periodId ?? '')) this.#notifications.learn(record)
    }
    this.#notifications.start()
  }

  /** Resolves when every outcome that is durable in the state's journal is durable in the outbox. */
  async outcomesStored(): Promise<void> {
    if (this.#entries.size === 0) return
    // An outcome is emitted in the same turn in which it became durable.
    await macrotask()
    await this.#notifications.outcomesStored()
  }

  test(entry: Entry): Promise<readonly NotifyTestResult[]> {
    return this.#notifications.test(entry)
  }

  get figures(): NotificationFigures {
    return this.#notifications.figures
  }

  async stop(): Promise<void> {
    this.#pings.stop()
    await this.#notifications.stop()
    await this.#outbox.shut()
  }
}

/** By job, the executions that ended and the periods that did not run. */
function outcomesIn(records: readonly StateRecord[]): Map<string, Set<string>> {
  const outcomes = new Map<string, Set<string>>()
  for (const { Identity, Event: event } of records) {
    const names =
      event.kind === 'finished'
        ? [event.executionId]
        : event.kind === 'notExecuted'
          ? event.periods.map(each => each.periodId)
          : []
    if (names.length > 0) outcomes.set(Identity, new Set([...(outcomes.get(Identity) ?? []), ...names]))
  }
  return outcomes
}

function secretOf(path: string | undefined): string | undefined {
  if (path === undefined) return undefined
  const what = `the secret of notifications in ${path}`
  const secret = readSecret(path, what, 'notify')
  if (secret !== '') return secret
  throw new ConfigurationError(`cannot use ${what}: it is empty`, {
    component: 'configuration',
    operation: 'notify',
    hint: `chmod 0600 ${path}`,
  })
}
