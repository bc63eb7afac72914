import { setImmediate as macrotask } from 'node:timers/promises'
import { type Entry, printEntry } from '@kron/host'
import type { Changes, Emit } from '../log/event.ts'
import * as events from '../log/event.ts'
import type { Loaded, StateStore, Summarised } from '../store/state-store.ts'
import { JobTable } from './job-table.ts'
import { Loop } from './loop.ts'
import type { Ports } from './ports.ts'
import { Recorder } from './recorder.ts'
import { Recovery } from './recovery.ts'
import { RunningExecutions } from './running.ts'
import { Starter } from './starter.ts'

const LOOKED_AT_ONCE = 64
const PROGRESS_STEP = 1_024

export interface DaemonParts extends Ports {
  readonly store: StateStore
  readonly maxConcurrent: number
}

/** The jobs there are, with their new definitions if they have one, and those that come. */
export interface Reload {
  readonly known: ReadonlyMap<number, Entry | undefined>
  readonly arrivals: readonly (readonly [Entry, Loaded | undefined])[]
}

/** The daemon without its surroundings: every effect is a port, so a test may let a year pass in it. */
export class Daemon {
  readonly jobs = new JobTable()
  readonly running: RunningExecutions
  readonly loop: Loop
  private readonly store: StateStore
  private readonly emit: Emit
  private readonly starter: Starter
  private readonly recovery: Recovery
  /** Jobs that are gone from the files while an execution of theirs still runs. */
  private readonly retired = new Map<string, number>()
  private idle: (() => void) | undefined

  constructor(parts: DaemonParts) {
    const { jobs } = this
    this.store = parts.store
    this.emit = parts.emit
    const recorder = new Recorder(jobs, parts)
    this.running = new RunningExecutions(parts.clock, parts.emit)
    const { running } = this
    const settled = (slot: number): void => this.settled(slot)
    this.starter = new Starter({ ports: parts, recorder, running, ended: settled })
    const { starter } = this
    this.recovery = new Recovery({ ports: parts, jobs, recorder, running, starter, store: parts.store })
    const { maxConcurrent } = parts
    this.loop = new Loop({ ports: parts, jobs, recorder, running, starter, maxConcurrent, settled })
  }

  /** Loads state, settles what an earlier daemon left, plans, and begins; tells now and then how many are loaded. */
  async start(entries: Iterable<Entry>, progress: (done: number) => void = () => {}): Promise<void> {
    for (const entry of entries) {
      this.recovery.take(entry, await this.recovery.look(entry))
      if (this.jobs.size % PROGRESS_STEP !== 0) continue
      progress(this.jobs.size)
      // What was recorded goes to the disk meanwhile, and requests are answered.
      await macrotask()
    }
    this.store.loaded()
    await this.recovery.settled()
    await this.recovery.sweepClaims()
    this.loop.catchUp(this.jobs.slots())
  }

  /** Notes the states of jobs of which nothing runs, so that the next start need not read them. */
  async summarise(): Promise<void> {
    try {
      await this.store.summarise(this.summarised())
    } catch (error) {
      // Only the next start is slower without it.
      this.emit(events.warned('summarise the state', (error as Error).message))
    }
  }

  async reload(entries: Iterable<Entry>): Promise<Changes> {
    return this.apply(await this.prepare(entries))
  }

  /** What a reload will do; fails, and changes nothing, if the state of a new job cannot be used. */
  async prepare(entries: Iterable<Entry>): Promise<Reload> {
    const fresh = new Map<string, Entry>()
    for (const entry of entries) fresh.set(entry.identity, entry)
    const known = new Map<number, Entry | undefined>()
    for (const slot of this.jobs.slots()) {
      const { identity } = this.jobs.entry(slot)!
      known.set(slot, fresh.get(identity))
      fresh.delete(identity)
    }
    return { known, arrivals: await this.lookAt(fresh.values()) }
  }

  /** Swaps the definitions; what did not change keeps its plan. */
  async apply({ known, arrivals }: Reload): Promise<Changes> {
    const changes = { added: arrivals.length, changed: 0, removed: 0, unchanged: 0 }
    const visits: number[] = []
    for (const [slot, entry] of known) {
      const change = this.swap(slot, entry)
      changes[change]++
      if (change === 'changed') visits.push(slot)
    }
    for (const [entry, loaded] of arrivals) {
      const slot = this.reinstate(entry)
      visits.push(slot ?? this.recovery.take(entry, loaded ?? (await this.recovery.look(entry))))
    }
    await this.recovery.settled()
    this.loop.catchUp(visits)
    return changes
  }

  /** No new triggers; then the executions end by themselves, are ended, or are left to the next daemon. */
  async stop(how: 'wait' | 'terminate' | 'leave'): Promise<void> {
    await this.loop.stop()
    if (how === 'leave') return
    if (how === 'terminate') {
      await Promise.all(this.running.all().map(execution => this.running.end(execution, 'shutdown')))
    }
    if (this.running.count > 0) await new Promise<void>(resolve => (this.idle = resolve))
  }

  private async lookAt(entries: Iterable<Entry>): Promise<Reload['arrivals']> {
    const arrivals: [Entry, Loaded | undefined][] = []
    for (const entry of entries) {
      if (arrivals.length === 0) await this.recovery.lookAround()
      // What is due meanwhile is not to wait for all of them.
      if (arrivals.length % LOOKED_AT_ONCE === LOOKED_AT_ONCE - 1) await macrotask()
      // What still runs goes on changing its state.
      const runs = this.retired.has(entry.identity)
      arrivals.push([entry, runs ? undefined : await this.recovery.look(entry)])
    }
    this.store.loaded()
    return arrivals
  }

  private *summarised(): Generator<Summarised> {
    for (const slot of this.jobs.slots()) {
      const { identity } = this.jobs.entry(slot)!
      const handled = this.jobs.handled(slot)
      const rests = this.loop.pending.of(slot).length === 0 && this.running.of(slot).length === 0
      const isSimple = rests && handled.above.length === 0
      yield { identity, rest: isSimple ? { seq: this.jobs.lastSeq(slot), handled } : undefined }
    }
  }

  private swap(slot: number, entry: Entry | undefined): 'removed' | 'changed' | 'unchanged' {
    const old = this.jobs.entry(slot)!
    if (entry === undefined) {
      this.retire(slot, old)
      return 'removed'
    }
    this.jobs.replace(slot, entry)
    const isSame = printEntry(entry) === printEntry(old) && entry.schedule.zone === old.schedule.zone
    if (entry === old || isSame) return 'unchanged'
    this.loop.forget(slot)
    return 'changed'
  }

  /** An execution has ended, or a start has come to its end. */
  private settled(slot: number): void {
    if (this.jobs.entry(slot) === undefined && !this.isBusy(slot)) this.release(slot)
    this.loop.placeFreed()
    if (this.running.count === 0) this.idle?.()
  }

  private isBusy(slot: number): boolean {
    return this.running.of(slot).length > 0 || this.starter.isBusy(slot)
  }

  private retire(slot: number, entry: Entry): void {
    this.loop.forget(slot)
    this.jobs.retire(slot)
    this.retired.set(entry.identity, slot)
    if (!this.isBusy(slot)) this.release(slot)
  }

  private release(slot: number): void {
    for (const [identity, each] of this.retired) {
      if (each !== slot) continue
      this.retired.delete(identity)
      this.jobs.release(slot)
    }
  }

  private reinstate(entry: Entry): number | undefined {
    const slot = this.retired.get(entry.identity)
    if (slot === undefined) return undefined
    this.retired.delete(entry.identity)
    this.jobs.replace(slot, entry)
    return slot
  }
}
