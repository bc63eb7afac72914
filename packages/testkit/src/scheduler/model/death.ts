import type { TaskRecord, TraceEvent, TraceRecorder } from '../../../../scheduler/src/index.ts'

/** The times of the last known ends of a task's runs. */
export interface Ends {
  readonly success?: number
  readonly failure?: number
}

/** The situation in which a process died. */
export interface Circumstances {
  readonly at: number
  /** The name under which the process has recorded its runs. */
  readonly process: string
  readonly isActive: boolean
  readonly isSetBack: boolean
  /** The ends that the process had reported, by task. */
  readonly ends: ReadonlyMap<string, Ends>
}

/**
 * A process that died. Its last changes may be stored although it did not report them. Until another process has
 * loaded the records, a power cut may still take changes that were written but not synced, so the trace gets them
 * only then, at the position of the death.
 */
export class Death {
  readonly #recorder: TraceRecorder
  readonly #circumstances: Circumstances
  readonly #position: number
  readonly #call: number | undefined
  readonly #running: Set<string>
  readonly #unseen: TraceEvent[] = []

  constructor(recorder: TraceRecorder, circumstances: Circumstances) {
    this.#recorder = recorder
    this.#circumstances = circumstances
    this.#position = recorder.length
    this.#call = recorder.initializing
    this.#running = new Set(recorder.running)
  }

  /** Adds everything that the records show and that the process did not report. */
  account(records: ReadonlyMap<string, TaskRecord>, storedAt: number | undefined): void {
    if (storedAt !== undefined) this.#addReconciliation(storedAt)
    for (const task of [...this.#running]) this.#addEnd(task, records.get(task))
    if (this.#circumstances.isActive) this.#addStarts(records)
    this.#recorder.insert(this.#position, this.#unseen)
  }

  #addReconciliation(storedAt: number): void {
    if (this.#call === undefined) return
    if (this.#circumstances.isSetBack) this.#unseen.push({ kind: 'ClockSetBack', at: storedAt })
    this.#unseen.push({ kind: 'Reconciled', at: storedAt, call: this.#call })
  }

  #addStarts(records: ReadonlyMap<string, TaskRecord>): void {
    const { at, process } = this.#circumstances
    for (const { name, runningBy, lastAttemptAt = at } of records.values()) {
      if (runningBy !== process || this.#running.has(name)) continue
      // After the clock was set back, a record still holds the earlier time, which is not a delay.
      if (lastAttemptAt > at) this.#unseen.push({ kind: 'ClockSetForward', at: lastAttemptAt })
      this.#unseen.push({ kind: 'RunStart', at: lastAttemptAt, task: name })
    }
  }

  #addEnd(task: string, record: TaskRecord | undefined): void {
    if (record === undefined) return
    const { at, ends } = this.#circumstances
    const { runningBy, pendingRetryUntil, lastFailureAt, lastSuccessAt } = record
    if (runningBy === undefined) {
      const failed = pendingRetryUntil !== undefined && lastFailureAt !== undefined
      if (failed) this.#fail(task, at, lastFailureAt)
      else this.#succeed(task, at)
      return
    }
    // The recorded run may already be the next one.
    const { success, failure } = ends.get(task) ?? {}
    if (lastSuccessAt !== undefined && lastSuccessAt !== success) this.#succeed(task, lastSuccessAt)
    else if (lastFailureAt !== undefined && lastFailureAt !== failure)
      this.#fail(task, lastFailureAt, lastFailureAt)
  }

  #succeed(task: string, at: number): void {
    this.#running.delete(task)
    this.#unseen.push({ kind: 'RunSuccess', at, task })
  }

  #fail(task: string, at: number, endedAt: number): void {
    this.#running.delete(task)
    this.#unseen.push({ kind: 'RunFailure', at, task, endedAt })
  }
}
