import type { ClockJump } from '@kron/runtime'
import { forbiddenText, isForbidden, isNotFound } from '../cluster/api-error.ts'
import { namesFiles } from '../manifest/schedule-files.ts'
import { Agenda } from './agenda/agenda.ts'
import type { Reason } from './agenda/work-queue.ts'
import type { Context, Ports } from './context.ts'
import { Memory } from './memory/memory.ts'
import { workOn } from './work.ts'
import { confirmStatus } from './write/status-write.ts'
import { NotLeading } from './write/writer.ts'

/**
 * Works on every KronJob that has an event, and on no other. The way of a KronJob:
 *
 * 1. A watch calls `touch`, or a timer rings. `agenda/` queues the key and gives it to a worker.
 * 2. `work.ts` does the work on the key, in these steps:
 *    - `observe/observation.ts` gathers everything that is known about the KronJob.
 *    - `plan/reconcile.ts`, a pure function, makes a plan.
 *    - `write/status-write.ts` writes the status. `report/reports.ts` reports it.
 *    - `write/effects.ts` creates and deletes Jobs.
 *    - `agenda/` gets the time of the next timer.
 * 3. An error ends the work. The agenda adds the key again after a pause.
 *
 * Two objects own the state of the controller: `memory/` remembers facts about KronJobs, and `agenda/` has their times.
 */
export class Controller {
  readonly #context: Context

  constructor(ports: Ports) {
    const { clock, random } = ports
    const agenda = new Agenda({
      clock,
      ...(random && { random }),
      work: (key, reason) => this.#work(key, reason),
      onJump: jump => this.#onJump(jump),
    })
    this.#context = { ...ports, memory: new Memory(ports), agenda }
  }

  /** The numbers of keys waiting for a worker, KronJobs waiting for their time, and blocked KronJobs. */
  get load(): { readonly queued: number; readonly waiting: number; readonly blocked: number } {
    const { agenda, memory } = this.#context
    return { ...agenda.load, blocked: memory.blocks.size }
  }

  /** Resolves when no KronJob waits for a worker. */
  calm(): Promise<void> {
    return this.#context.agenda.calm()
  }

  /** Called when a KronJob or one of its Jobs has changed. */
  touch(key: string): void {
    confirmStatus(key, this.#context)
    this.#context.agenda.add(key)
  }

  /** Called when the calendars or weights of a namespace have changed. */
  touchFiles(namespace: string): void {
    const { kronJobs } = this.#context
    for (const key of kronJobs.keys()) {
      if (!key.startsWith(`${namespace}/`)) continue
      const kronJob = kronJobs.get(key)
      if (kronJob !== undefined && namesFiles(kronJob)) this.touch(key)
    }
  }

  /** Begins a term. `isContinued` says that nobody else has led since the last one. */
  lead(isContinued = false): void {
    this.#context.agenda.open()
    this.#context.memory.beginTerm(isContinued)
    this.#catchUp()
  }

  /** Ends a term. */
  async stop(): Promise<void> {
    await this.#context.agenda.close()
    this.#context.memory.endTerm()
  }

  #onJump({ kind, by }: ClockJump): void {
    this.#context.log('warn', 'clock jumped', { direction: kind, seconds: Math.round(by / 1000) })
    if (kind === 'forward') this.#catchUp()
  }

  #catchUp(): void {
    const { kronJobs, agenda } = this.#context
    for (const key of kronJobs.keys()) agenda.add(key, { catchUp: true })
  }

  async #work(key: string, reason: Reason): Promise<void> {
    const { metrics, agenda } = this.#context
    const started = performance.now()
    const count = (result: 'success' | 'error'): void => {
      metrics.reconciles.add({ controller: 'kronjob', result })
      if (result === 'error') metrics.reconcileErrors.add({ controller: 'kronjob' })
    }
    try {
      const isRefused = await workOn(key, reason, this.#context)
      agenda.succeeded(key)
      count(isRefused ? 'error' : 'success')
    } catch (error) {
      if (error instanceof NotLeading || !agenda.isOpen) return
      // The watch has not reported the deletion yet.
      if (isNotFound(error)) return agenda.retry(key, reason)
      count('error')
      this.#logError(key, error)
      agenda.retry(key, {
        ...(reason.catchUp && { catchUp: true }),
        // A status that could wait goes behind all others.
        ...(reason.timerAt !== undefined && { timerAt: Number.POSITIVE_INFINITY }),
      })
    } finally {
      metrics.reconcileTime.observe((performance.now() - started) / 1000)
    }
  }

  #logError(identity: string, error: unknown): void {
    const { log } = this.#context
    const operation = 'reconcile'
    if (isForbidden(error)) log('error', 'forbidden', { identity, operation, message: forbiddenText(error) })
    else log('error', 'reconcile failed', { identity, operation, error })
  }
}
