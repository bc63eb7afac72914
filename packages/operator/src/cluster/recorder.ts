import { sha256 } from '@kron/core'
import type { Clock } from '@kron/runtime'
import { API_VERSION, GROUP, type KronJob } from '../manifest/kronjob.ts'
import type { Note } from '../plan/plan.ts'
import type { Api } from './api.ts'
import { isNotFound } from './api-error.ts'
import { eventsPath } from './paths.ts'

export interface RecorderOptions {
  readonly api: Api
  readonly clock: Clock
  readonly instance: string
  /** Resolves when no more important work waits. */
  readonly calm?: () => Promise<void>
  readonly onTrouble?: (error: unknown) => void
}

interface Series {
  readonly namespace: string
  readonly name: string
  count: number
  told: number
  toldCount: number
}

type Regarding = Pick<KronJob['metadata'], 'namespace' | 'name' | 'uid'>

interface Pending {
  readonly since: number
  readonly write: () => Promise<void>
}

const QUIET = 60_000
/** Milliseconds for which an Event waits for more important work. */
const PATIENCE = 30_000
const MOST_SERIES = 5_000
const MOST_AT_ONCE = 2

/** Writes Events without delaying other work. A repeated note only increments a count, at most once a minute. */
export class Recorder {
  readonly #options: RecorderOptions
  readonly #series = new Map<string, Series>()
  #pending: Pending[] = []
  #running = 0

  constructor(options: RecorderOptions) {
    this.#options = options
  }

  record(kronJob: KronJob, note: Note): void {
    const { uid, namespace } = kronJob.metadata
    const key = `${uid}\n${note.reason}\n${note.text}`
    const known = this.#series.get(key)
    if (known === undefined) {
      const name = `${kronJob.metadata.name}.${sha256(`${key}\n${this.#options.clock.now()}`).slice(0, 16)}`
      this.#remember(key, { namespace, name, count: 1, told: this.#options.clock.now(), toldCount: 1 })
      // Thousands of Events may wait. They hold only what they tell of the KronJob.
      const regarding = { namespace, name: kronJob.metadata.name, uid }
      this.#enqueue(() => this.#create(regarding, note, name))
      return
    }
    known.count++
    if (this.#options.clock.now() - known.told < QUIET) return
    known.told = this.#options.clock.now()
    known.toldCount = known.count
    this.#enqueue(() => this.#count(key, known))
  }

  #remember(key: string, series: Series): void {
    this.#series.set(key, series)
    if (this.#series.size <= MOST_SERIES) return
    const [oldest] = this.#series.keys()
    this.#series.delete(oldest!)
  }

  #enqueue(write: () => Promise<void>): void {
    this.#pending.push({ since: this.#options.clock.now(), write })
    while (this.#running < MOST_AT_ONCE && this.#pending.length > 0) void this.#drain()
  }

  async #drain(): Promise<void> {
    this.#running++
    for (let next = this.#pending.shift(); next !== undefined; next = this.#pending.shift()) {
      await this.#calm(next.since)
      await next.write().catch(error => this.#options.onTrouble?.(error))
    }
    this.#running--
  }

  /** Thousands of Events at once must not delay starts and status writes. */
  async #calm(since: number): Promise<void> {
    const { clock, calm } = this.#options
    const left = since + PATIENCE - clock.now()
    if (calm === undefined || left <= 0) return
    await new Promise<void>(done => {
      const timer = clock.setTimer(left, done)
      void calm().then(() => {
        clock.clearTimer(timer)
        done()
      })
    })
  }

  async #create(regarding: Regarding, { type, reason, text }: Note, name: string): Promise<void> {
    const body = {
      apiVersion: 'events.k8s.io/v1',
      kind: 'Event',
      metadata: { name, namespace: regarding.namespace },
      eventTime: this.#microTime(),
      reportingController: `${GROUP}/operator`,
      reportingInstance: this.#options.instance.slice(0, 128),
      action: 'Reconcile',
      type,
      reason,
      note: text.slice(0, 1024),
      regarding: { apiVersion: API_VERSION, kind: 'KronJob', ...regarding },
    }
    await this.#options.api.call('POST', eventsPath(regarding.namespace), { body })
  }

  async #count(key: string, { namespace, name, toldCount }: Series): Promise<void> {
    const body = { series: { count: toldCount, lastObservedTime: this.#microTime() } }
    try {
      await this.#options.api.call('PATCH', eventsPath(namespace, name), { body })
    } catch (error) {
      // The server deletes Events after an hour. The next occurrence is then a new Event.
      if (!isNotFound(error)) throw error
      this.#series.delete(key)
    }
  }

  #microTime(): string {
    return new Date(this.#options.clock.now()).toISOString().replace('Z', '000Z')
  }
}
