import { hash as nativeHash, randomUUID } from 'node:crypto'
import { rmSync, writeFileSync } from 'node:fs'
import type { Server } from 'node:net'
import { IncompatibleStateError, KronError, PersistenceError } from '@kron/core'
import {
  type Clock,
  type Disk,
  FileLock,
  type Launcher,
  LockHeldError,
  linuxProcessTable,
  nodeDisk,
  type ProcessTable,
  posixLauncher,
  systemClock,
} from '@kron/runtime'
import type { Configuration, ConfigurationReader } from './configuration.ts'
import { controlPath, serveStatus } from './control.ts'
import { Daemon } from './daemon.ts'
import type { Emit } from './event.ts'
import * as events from './event.ts'
import { HostProcesses } from './host-processes.ts'
import type { DaemonOptions } from './options.ts'
import type { RunAs } from './run-as.ts'
import { prepareStateDirectory } from './state-directory.ts'
import { StateStore } from './state-store.ts'
import { type Status, statusOf } from './status.ts'

export type ExitCode = 0 | 1 | 2 | 3 | 4

/** How long a fatal error waits for children that may not go on. */
const LAST_PATIENCE = 15_000

export interface HostParts {
  readonly options: DaemonOptions
  readonly reader: ConfigurationReader
  readonly runAs: RunAs
  readonly emit: Emit
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly clock?: Clock
  readonly disk?: Disk
  readonly table?: ProcessTable
  readonly launcher?: Launcher
}

/** The daemon on the real host, from the lock to the exit code. */
export class Host {
  private readonly parts: HostParts
  private readonly startedAt = systemClock.now()
  private lock: FileLock | undefined
  private store: StateStore | undefined
  private daemon: Daemon | undefined
  private control: Server | undefined
  private refusedFiles: readonly string[] = []
  private leave!: (code: ExitCode) => void
  /** Resolves with the exit code when everything is over. */
  readonly over = new Promise<ExitCode>(resolve => {
    this.leave = resolve
  })
  private failing = false

  constructor(parts: HostParts) {
    this.parts = parts
  }

  /** Lock, state, plan, loop; a failure is an exit code. */
  async start(configuration: Configuration): Promise<void> {
    const { options, emit } = this.parts
    try {
      prepareStateDirectory(options.stateDir, process.getuid?.() ?? 0)
      this.lock = FileLock.acquire(`${options.stateDir}/lock`)
      this.daemon = await this.makeDaemon()
      this.refusedFiles = configuration.refused
      await this.daemon.start(configuration.entries)
      await this.announce()
    } catch (error) {
      if (!(error instanceof KronError)) throw error
      emit(events.failed(error))
      this.leave(exitCodeOf(error))
    }
  }

  get status(): Status {
    const about = { pid: process.pid, startedAt: this.startedAt, refusedFiles: this.refusedFiles }
    return statusOf(this.daemon!, about)
  }

  /** Parses everything, then swaps, or keeps everything. */
  async reload(): Promise<void> {
    const { reader, emit, options } = this.parts
    const configuration = reader.read()
    for (const error of configuration.errors) emit(events.failed(error))
    if (configuration.errors.length > 0 && !options.keepGoing) {
      emit(events.reloadRefused(configuration.errors.length))
      return
    }
    try {
      const changes = await this.daemon!.reload(configuration.entries)
      this.refusedFiles = configuration.refused
      emit(events.reloaded(changes, configuration.refused.length))
    } catch (error) {
      if (!(error instanceof KronError)) throw error
      await this.fail(error)
    }
  }

  async stop(): Promise<void> {
    const { options, emit } = this.parts
    emit(events.stopping(this.daemon!.running.count, options.stop))
    const stopped = this.daemon!.stop(options.stop)
    const patience = options.stopTimeout
    if (patience === undefined) await stopped
    else await Promise.race([stopped, new Promise(resolve => setTimeout(resolve, patience).unref())])
    await this.close()
    emit(events.stopped(this.daemon!.running.count))
    this.leave(0)
  }

  /** Ends now: what is durable stays, children go on and are adopted by the next daemon. */
  abandon(): void {
    this.parts.emit(events.stopped(this.daemon?.running.count ?? 0))
    this.leave(0)
  }

  private async makeDaemon(): Promise<Daemon> {
    const { options, emit, environment, runAs, clock = systemClock, disk = nodeDisk } = this.parts
    const fatal = (error: KronError): void => void this.fail(error)
    const table = this.parts.table ?? linuxProcessTable()
    const launcher = this.parts.launcher ?? posixLauncher(table)
    this.store = await StateStore.open({
      disk,
      directory: options.stateDir,
      clock,
      history: options.history,
      fatal,
    })
    return new Daemon({
      clock,
      store: this.store,
      processes: new HostProcesses({ launcher, table, clock, environment, runAs: entry => runAs.of(entry) }),
      boot: { id: table.bootId(), time: () => table.bootTime() },
      emit,
      hash: text => nativeHash('sha256', text, 'hex'),
      newId: randomUUID,
      fatal,
      maxConcurrent: options.maxConcurrent,
    })
  }

  private async announce(): Promise<void> {
    const { options, emit } = this.parts
    try {
      writeFileSync(options.pidFile, `${process.pid}\n`, { mode: 0o644 })
      this.control = await serveStatus(controlPath(options.stateDir), () => this.status)
    } catch (cause) {
      // Neither is needed to run jobs.
      emit(events.warned('announce', `status is not available: ${(cause as Error).message}`))
    }
    emit(events.startedDaemon(this.daemon!.jobs.size, this.daemon!.running.count, this.refusedFiles.length))
  }

  /** A write failed: whoever started without being on record is ended, and nothing is scheduled any more. */
  private async fail(error: KronError): Promise<void> {
    if (this.failing) return
    this.failing = true
    this.parts.emit(events.failed(error))
    const settled = this.daemon?.loop.stop() ?? Promise.resolve()
    await Promise.race([settled, new Promise(resolve => setTimeout(resolve, LAST_PATIENCE).unref())])
    this.leave(4)
  }

  private async close(): Promise<void> {
    this.control?.close()
    rmSync(controlPath(this.parts.options.stateDir), { force: true })
    rmSync(this.parts.options.pidFile, { force: true })
    await this.store?.close()
    this.lock?.release()
  }
}

function exitCodeOf(error: KronError): ExitCode {
  if (error instanceof LockHeldError) return 3
  return error instanceof IncompatibleStateError || error instanceof PersistenceError ? 2 : 1
}
