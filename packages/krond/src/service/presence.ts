import type { DaemonOptions } from '../config/options.ts'
import type { Emit } from '../log/event.ts'
import * as events from '../log/event.ts'
import { removePidFile, writePidFile } from './pid-file.ts'
import type { Notifier } from './sd-notify.ts'

const PROGRESS_EVERY_MS = 1_000

export interface PresenceParts {
  readonly options: Pick<DaemonOptions, 'pidFile'>
  readonly emit: Emit
  readonly notifier: Notifier
}

/** Makes the daemon and its state known to others: PID file and service manager. */
export class Presence {
  readonly #parts: PresenceParts
  #isPublished = false

  constructor(parts: PresenceParts) {
    this.#parts = parts
  }

  loading(jobs: number, done: number): void {
    this.#parts.emit(events.loading(jobs, done))
    this.#parts.notifier.status(done === 0 ? `loading ${jobs} jobs` : `loaded ${done} of ${jobs} jobs`)
  }

  /** Reports the progress of loading every second, after the first second. */
  progress(jobs: number): (done: number) => void {
    let toldAt = performance.now()
    return done => {
      if (performance.now() - toldAt < PROGRESS_EVERY_MS) return
      toldAt = performance.now()
      this.loading(jobs, done)
    }
  }

  /** Jobs run without any of this, so a failure is only a warning. */
  publish(): void {
    const { options, notifier, emit } = this.#parts
    this.#isPublished = true
    try {
      writePidFile(options.pidFile)
    } catch (cause) {
      emit(events.warned('write the PID file', (cause as Error).message))
    }
    const { watchdogIntervalMs } = notifier
    if (watchdogIntervalMs !== undefined) setInterval(() => notifier.alive(), watchdogIntervalMs / 2).unref()
  }

  ready(jobs: number, running: number): void {
    this.#parts.notifier.ready()
    this.#parts.notifier.status(`${jobs} jobs, ${running} running`)
  }

  reloading(): void {
    this.#parts.notifier.reloading()
  }

  stopping(): void {
    this.#parts.notifier.stopping()
  }

  /** Removes the traces that lead others to the daemon; a PID file that another daemon has written stays. */
  withdraw(): void {
    if (this.#isPublished) removePidFile(this.#parts.options.pidFile)
  }
}
