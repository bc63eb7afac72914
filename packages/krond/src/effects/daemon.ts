import { setImmediate as macrotask } from 'node:timers/promises'
import { KronError, SystemError } from '@kron/core'
import type { Entry } from '@kron/host'
import { Alarm, type Timer } from '@kron/runtime'
import type { Actions } from '../driver/action.ts'
import type { Attempt } from '../driver/attempt.ts'
import { Driver } from '../driver/driver.ts'
import type { Effect, Message, StopMode } from '../driver/effect.ts'
import type { Moment } from '../driver/moment.ts'
import { survived } from '../driver/run.ts'
import type { DriverSettings } from '../driver/state.ts'
import type { Changes } from '../log/event.ts'
import * as events from '../log/event.ts'
import type { Loaded } from '../store/state-store.ts'
import { DriverActions } from './actions.ts'
import type { Ports } from './ports.ts'
import { Traces } from './trace.ts'

const LOOKED_AT_ONCE = 64
const PROGRESS_STEP = 1_024
const LONGEST_SEARCH_MS = 2_000

export interface DaemonParts
  extends Ports,
    Pick<DriverSettings, 'hash' | 'newId' | 'debug' | 'maxConcurrent'> {
  /** Absent: always. */
  readonly mayStart?: () => boolean
  /** Jobs whose earlier runs have been found wait this long, at most, for the searches of other jobs. */
  readonly longestSearchMs?: number
}

/** The known jobs, with their new definitions if they have one, and the jobs that are added. */
export interface Reload {
  readonly known: ReadonlyMap<number, Entry | undefined>
  readonly arrivals: readonly (readonly [Entry, Loaded | 'retired'])[]
}

/**
 * Carries out the driver's effects and sends it their answers. It decides nothing. Every effect goes through a port, so
 * a test can let a year pass.
 */
export class Daemon {
  readonly driver: Driver
  /** The actions that people can take. */
  readonly actions: Actions
  readonly #ports: Ports
  readonly #alarm: Alarm
  readonly #traces: Traces
  readonly #longestSearchMs: number
  /** Callbacks that report the end of an attempt's start. */
  readonly #starts = new Map<Attempt, () => void>()

  constructor(parts: DaemonParts) {
    const { clock, processes, boot, hash, newId, debug, maxConcurrent, mayStart = () => true } = parts
    const { claimsId } = processes
    this.#ports = parts
    this.#longestSearchMs = parts.longestSearchMs ?? LONGEST_SEARCH_MS
    this.driver = new Driver({ hash, newId, debug, maxConcurrent, mayStart, claimsId, bootId: boot.id })
    this.actions = new DriverActions(parts, this.driver, message => this.#send(message))
    this.#traces = new Traces(processes, boot, hash)
    this.#alarm = new Alarm({
      clock,
      onDue: () => void this.#send({ kind: 'due' }),
      onJump: jump => void this.#send({ kind: 'clockJumped', jump }),
    })
  }

  /** Loads the states, finds out how the runs of an earlier daemon ended, and plans the jobs; reports progress now and then. */
  async start(entries: Iterable<Entry>, progress: (done: number) => void = () => {}): Promise<void> {
    const { store, processes, pauses } = this.#ports
    const { jobs } = this.driver
    await this.#send({ kind: 'pauses', pauses: await pauses.load() })
    const arriving: Promise<void>[] = []
    for (const entry of entries) {
      const arrival = this.#send({ kind: 'arrived', entry, loaded: await store.load(entry.identity) })
      if (arrival !== undefined) arriving.push(observed(arrival))
      if (jobs.size % PROGRESS_STEP !== 0) continue
      progress(jobs.size)
      // Records go to the disk meanwhile, and requests are answered.
      await macrotask()
    }
    store.loaded()
    await this.#plan(arriving, async () => this.#send({ kind: 'claims', claims: await processes.claims() }))
  }

  async reload(entries: Iterable<Entry>): Promise<Changes> {
    return this.apply(await this.prepare(entries))
  }

  /** Finds out what a reload will change; fails, and changes nothing, if the state of a new job cannot be used. */
  async prepare(entries: Iterable<Entry>): Promise<Reload> {
    const { jobs } = this.driver
    const fresh = new Map<string, Entry>()
    for (const entry of entries) fresh.set(entry.identity, entry)
    const known = new Map<number, Entry | undefined>()
    for (const slot of jobs.slots()) {
      const { identity } = jobs.entry(slot)!
      known.set(slot, fresh.get(identity))
      fresh.delete(identity)
    }
    return { known, arrivals: await this.#load(fresh.values()) }
  }

  /** Swaps the definitions; a job that did not change keeps its plan. */
  async apply({ known, arrivals }: Reload): Promise<Changes> {
    let changes = { changed: 0, removed: 0, unchanged: 0 }
    void this.#send({ kind: 'reload', known, done: done => (changes = done) })
    const arriving: Promise<void>[] = []
    for (const [entry, before] of arrivals) {
      const isOver = before === 'retired' && !this.driver.isRetired(entry.identity)
      const loaded = isOver ? await this.#ports.store.load(entry.identity) : before
      const arrival = this.#send({ kind: 'arrived', entry, loaded })
      if (arrival !== undefined) arriving.push(observed(arrival))
    }
    await this.#plan(arriving)
    return { added: arrivals.length, ...changes }
  }

  /** After this, no new run starts. Resolves when the runs have ended, or when all that are left outlive the daemon. */
  stop(mode: StopMode): Promise<void> {
    return new Promise(done => void this.#send({ kind: 'stop', mode, done }))
  }

  /** The state file of a job was lost while the daemon runs: its handled periods are recorded again. */
  stateLost(identity: string): void {
    void this.#send({ kind: 'stateLost', identity })
  }

  /** Tells the driver that a place may be free again. */
  roomFreed(): void {
    void this.#send({ kind: 'roomFreed' })
  }

  /** Notes the states of jobs without a running execution, so that the next start need not read them. */
  async summarise(): Promise<void> {
    try {
      await this.#ports.store.summarise(this.driver.summarised())
    } catch (error) {
      // Without the summary only the next start is slower.
      this.#ports.emit(events.warned('summarise the state', (error as Error).message))
    }
  }

  async #load(entries: Iterable<Entry>): Promise<Reload['arrivals']> {
    const { store } = this.#ports
    const arrivals: [Entry, Loaded | 'retired'][] = []
    for (const entry of entries) {
      if (arrivals.length === 0) {
        this.#traces.forgetSurvivors()
        await store.lookAround()
      }
      // Jobs that are due meanwhile must not wait for all of them.
      if (arrivals.length % LOOKED_AT_ONCE === LOOKED_AT_ONCE - 1) await macrotask()
      // A job with a living run keeps changing its state.
      const isRetired = this.driver.isRetired(entry.identity)
      arrivals.push([entry, isRetired ? 'retired' : await store.load(entry.identity)])
    }
    store.loaded()
    return arrivals
  }

  /**
   * Plans the jobs when their earlier runs have been found. A search that takes long delays only its own job, which is
   * planned later. `allFound` is called when the results of all searches are durable.
   */
  async #plan(searches: readonly Promise<void>[], allFound?: () => Promise<void>): Promise<void> {
    const { clock, fatal } = this.#ports
    const plan = (): void => void this.#send({ kind: 'plan' })
    const all = Promise.all(searches).then(allFound).then(plan)
    let timer: Timer
    const patience = new Promise<'late'>(resolve => {
      timer = clock.setTimer(this.#longestSearchMs, () => resolve('late'))
    })
    const first = await Promise.race([all, patience]).finally(() => clock.clearTimer(timer))
    if (first !== 'late') return
    plan()
    for (const search of searches) search.then(plan, () => {})
    all.catch((error: unknown) => fatal(unexpected(error)))
  }

  /** Resolves when everything that the message asked to find out or to record is durable. */
  #send(message: Message): Promise<void> | undefined {
    const { clock, boot } = this.#ports
    const wallMs = clock.now()
    const offsetMs = clock.monotonic === undefined ? 0 : wallMs - clock.monotonic()
    const now: Moment = { wallMs, bootMs: boot.time(), offsetMs }
    const pending: Promise<void>[] = []
    for (const effect of this.driver.receive(message, now)) {
      const done = effect.kind === 'flush' ? this.#flushAfter(pending) : this.#carryOut(effect)
      if (done !== undefined) pending.push(done)
    }
    return pending.length > 1 ? Promise.all(pending).then(() => {}) : pending[0]
  }

  async #flushAfter(records: readonly Promise<void>[]): Promise<void> {
    await Promise.all(records)
    await this.#ports.store.flush()
  }

  #carryOut(effect: Exclude<Effect, { kind: 'flush' }>): Promise<void> | undefined {
    const { emit, processes, clock } = this.#ports
    switch (effect.kind) {
      case 'emit':
        return void emit(effect.event)
      case 'record':
        return this.#record(effect)
      case 'start':
        return void this.#start(effect)
      case 'cancel':
        return void processes.cancel(effect.executionId)
      case 'follow': {
        const { attempt, run } = effect
        return void run.ended.then(async ending => {
          // An end waits for starts that are under way, like all follow-up work.
          await this.#ports.priority.idle()
          void this.#send({ kind: 'exited', attempt, ending })
        })
      }
      case 'end':
        return void this.#end(effect)
      case 'wakeAt':
        if (effect.second === undefined) this.#alarm.clear()
        else this.#alarm.set(effect.second * 1_000)
        return undefined
      case 'remind': {
        const { attempt } = effect
        return void clock.setTimer(effect.afterMs, () => void this.#send({ kind: 'overdue', attempt }))
      }
      case 'trace':
        return this.#trace(effect)
      case 'survey':
        return this.#survey(effect)
      case 'release':
        return void processes.release(effect.claim)
      case 'reply':
        return void effect.reply()
    }
  }

  async #record({ identity, seq, event, recorded }: Extract<Effect, { kind: 'record' }>): Promise<void> {
    const { store, priority } = this.#ports
    if (recorded.step === 'intended') this.#starts.set(recorded.attempt, priority.begin())
    if (recorded.step === 'takenBack') this.#startIsOver(recorded.attempt)
    try {
      await store.record(identity, seq, event)
    } catch (error) {
      if ('attempt' in recorded) this.#startIsOver(recorded.attempt)
      this.#ports.fatal(error as KronError)
      return this.#send({ kind: 'unstored', recorded })
    }
    return this.#send({ kind: 'stored', recorded })
  }

  #startIsOver(attempt: Attempt): void {
    this.#starts.get(attempt)?.()
    this.#starts.delete(attempt)
  }

  async #start({ attempt, request }: Extract<Effect, { kind: 'start' }>): Promise<void> {
    const { processes, priority, clock } = this.#ports
    const answering = processes.start(request)
    const { notBefore } = request
    if (notBefore !== undefined) {
      // Other work may be done until the second comes.
      this.#starts.get(attempt)?.()
      this.#starts.set(attempt, priority.begin(notBefore * 1_000 - clock.now()))
    }
    const answer = await answering
    this.#startIsOver(attempt)
    await priority.idle()
    if (answer.kind === 'cancelled') void this.#send({ kind: 'cancelled', attempt })
    else if (answer.kind === 'refused') void this.#send({ kind: 'refused', attempt, error: answer.error })
    else void this.#send({ kind: 'started', attempt, answer })
  }

  async #end({ attempt, run, why, how }: Extract<Effect, { kind: 'end' }>): Promise<void> {
    let problem: KronError | undefined
    try {
      if (!(await run.end(why, how))) problem = survived(run.pid)
    } catch (error) {
      if (!(error instanceof KronError)) throw error
      problem = error
    }
    void this.#send({ kind: 'endAnswered', attempt, problem })
  }

  async #trace({ slot, entry, seedHash, active }: Extract<Effect, { kind: 'trace' }>): Promise<void> {
    const trace = await this.#traces.of(entry, active)
    return this.#send({ kind: 'traced', slot, entry, seedHash, active, trace })
  }

  async #survey({ entry, ...known }: Extract<Effect, { kind: 'survey' }>): Promise<void> {
    const found = await this.#traces.survey(entry)
    return this.#send({ ...known, ...found, kind: 'surveyed' })
  }
}

const unexpected = (error: unknown): KronError =>
  error instanceof KronError
    ? error
    : new SystemError(String(error), { component: 'daemon', operation: 'find runs', cause: error })

/** Keeps a rejection from being reported as unhandled: it is awaited later, after other jobs have been loaded. */
function observed(work: Promise<void>): Promise<void> {
  work.catch(() => {})
  return work
}
