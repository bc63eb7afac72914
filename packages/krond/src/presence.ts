import { rmSync } from 'node:fs'
import type { Server } from 'node:net'
import type { Notifier } from '@kron/runtime'
import { controlPath, serveStatus } from './control.ts'
import type { Emit } from './event.ts'
import * as events from './event.ts'
import type { DaemonOptions } from './options.ts'
import { removePidFile, writePidFile } from './pid-file.ts'
import type { Status } from './status.ts'

export interface PresenceParts {
  readonly options: Pick<DaemonOptions, 'pidFile' | 'stateDir'>
  readonly emit: Emit
  readonly notifier: Notifier | undefined
}

/** How others find the daemon and learn how it is: PID file, status socket, service manager. */
export class Presence {
  private readonly parts: PresenceParts
  private control: Server | undefined

  constructor(parts: PresenceParts) {
    this.parts = parts
  }

  loading(jobs: number, done: number): void {
    this.parts.emit(events.loading(jobs, done))
    this.parts.notifier?.status(done === 0 ? `loading ${jobs} jobs` : `loaded ${done} of ${jobs} jobs`)
  }

  /** None of it is needed to run jobs, so a failure is only a warning. */
  async announce(status: () => Status): Promise<void> {
    const { options, notifier } = this.parts
    await this.attempt('write the PID file', () => writePidFile(options.pidFile))
    await this.attempt('offer the status', async () => {
      this.control = await serveStatus(options.stateDir, status)
    })
    if (notifier?.watchdogInterval === undefined) return
    setInterval(() => notifier.alive(), notifier.watchdogInterval / 2).unref()
  }

  ready(jobs: number, running: number): void {
    this.parts.notifier?.ready()
    this.parts.notifier?.status(`${jobs} jobs, ${running} running`)
  }

  reloading(): void {
    this.parts.notifier?.reloading()
  }

  stopping(): void {
    this.parts.notifier?.stopping()
  }

  /** Whoever looks for the daemon shall not find it any more; what another daemon has put there stays. */
  withdraw(): void {
    if (this.control === undefined) return
    this.control.close()
    rmSync(controlPath(this.parts.options.stateDir), { force: true })
    removePidFile(this.parts.options.pidFile)
  }

  private async attempt(operation: string, act: () => unknown): Promise<void> {
    try {
      await act()
    } catch (cause) {
      this.parts.emit(events.warned(operation, (cause as Error).message))
    }
  }
}
