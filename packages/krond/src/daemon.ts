import { type Entry, printEntry } from '@kron/krontab/format'
import type { Changes } from './event.ts'
import type { Execution } from './execution.ts'
import { JobTable } from './job-table.ts'
import { Loop } from './loop.ts'
import type { Ports } from './ports.ts'
import { Recorder } from './recorder.ts'
import { Recovery } from './recovery.ts'
import { RunningExecutions } from './running.ts'
import { Starter } from './starter.ts'
import type { StateStore } from './state-store.ts'

export interface DaemonParts extends Ports {
  readonly store: StateStore
  readonly maxConcurrent: number
}

/** The daemon without its surroundings: every effect is a port, so a test may let a year pass in it. */
export class Daemon {
  readonly jobs = new JobTable()
  readonly running: RunningExecutions
  readonly loop: Loop
  private readonly parts: DaemonParts
  private readonly starter: Starter
  private readonly recovery: Recovery
  /** Jobs that are gone from the files while an execution of theirs still runs. */
  private readonly retired = new Map<string, number>()
  private idle: (() => void) | undefined

  constructor(parts: DaemonParts) {
    this.parts = parts
    const { jobs } = this
    const recorder = new Recorder(jobs, parts)
    this.running = new RunningExecutions(parts.clock, parts.processes, parts.emit)
    const { running } = this
    this.starter = new Starter({ ports: parts, recorder, running, ended: execution => this.ended(execution) })
    const { starter } = this
    this.recovery = new Recovery({ ports: parts, jobs, recorder, running, starter, store: parts.store })
    this.loop = new Loop({
      ports: parts,
      jobs,
      recorder,
      running,
      starter,
      maxConcurrent: parts.maxConcurrent,
    })
  }

  /** Loads state, settles what an earlier daemon left, plans, and begins. */
  async start(entries: Iterable<Entry>): Promise<void> {
    await this.recovery.lookAround()
    for (const entry of entries) await this.recovery.take(entry)
    await this.recovery.settled()
    this.loop.catchUp(this.jobs.slots())
  }

  /** Swaps the definitions: jobs that did not change keep their plan. */
  async reload(entries: Iterable<Entry>): Promise<Changes> {
    const fresh = new Map<string, Entry>()
    for (const entry of entries) fresh.set(entry.identity, entry)
    const visits: number[] = []
    let [changed, removed, unchanged] = [0, 0, 0]
    for (const slot of [...this.jobs.slots()]) {
      const old = this.jobs.entry(slot)!
      const entry = fresh.get(old.identity)
      fresh.delete(old.identity)
      if (entry === undefined) {
        removed++
        this.retire(slot, old)
      } else if (entry === old || printEntry(entry) === printEntry(old)) {
        unchanged++
        this.jobs.replace(slot, entry)
      } else {
        changed++
        this.jobs.replace(slot, entry)
        visits.push(slot)
      }
    }
    if (fresh.size > 0) {
      await this.parts.store.flush()
      await this.recovery.lookAround()
      for (const entry of fresh.values())
        visits.push(this.reinstate(entry) ?? (await this.recovery.take(entry)))
      await this.recovery.settled()
    }
    this.loop.catchUp(visits)
    return { added: fresh.size, changed, removed, unchanged }
  }

  /** No new triggers; then the executions end by themselves or are ended. */
  async stop(how: 'wait' | 'terminate'): Promise<void> {
    await this.loop.stop()
    if (how === 'terminate') {
      await Promise.all(this.running.all().map(execution => this.running.end(execution, 'shutdown')))
    }
    if (this.running.count > 0) await new Promise<void>(resolve => (this.idle = resolve))
  }

  private ended(execution: Execution): void {
    const { slot } = execution
    if (this.jobs.entry(slot) === undefined && this.running.of(slot).length === 0) {
      this.retired.delete(execution.entry.identity)
      this.jobs.release(slot)
    }
    this.loop.slotFreed()
    if (this.running.count === 0) this.idle?.()
  }

  private retire(slot: number, entry: Entry): void {
    this.loop.forget(slot)
    this.jobs.retire(slot)
    if (this.running.of(slot).length > 0 || this.loop.isStarting(slot)) this.retired.set(entry.identity, slot)
    else this.jobs.release(slot)
  }

  private reinstate(entry: Entry): number | undefined {
    const slot = this.retired.get(entry.identity)
    if (slot === undefined) return undefined
    this.retired.delete(entry.identity)
    this.jobs.replace(slot, entry)
    return slot
  }
}
