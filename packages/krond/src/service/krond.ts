import { KronError, SystemError } from '@kron/core'
import {
  bootId,
  type Channel,
  closeRuntimeDirectory,
  type Entry,
  type RunAs,
  readKeptOutput,
} from '@kron/host'
import type { ReloadResult } from '@kron/host/api'
import { type Clock, type Disk, systemClock } from '@kron/runtime'
import { AuditLog } from '../api/audit.ts'
import { Operations } from '../api/operations.ts'
import type { ScopedTokens } from '../api/scoped-tokens.ts'
import { maySee, type Viewer } from '../api/viewer.ts'
import { account } from '../config/account.ts'
import type { Configuration, ConfigurationReader } from '../config/configuration.ts'
import { type DaemonOptions, hasCrontabs } from '../config/options.ts'
import { ZoneWatch } from '../config/zone-watch.ts'
import { ControlDesk } from '../control/desk.ts'
import { type Status, statusOf } from '../control/status.ts'
import type { TriggerAnswer, TriggerRequest } from '../driver/action.ts'
import type { Daemon } from '../effects/daemon.ts'
import type { StartPriority } from '../effects/start-priority.ts'
import { Listener } from '../http/listener.ts'
import { makeSubject } from '../http/make-subject.ts'
import type { HttpService } from '../http/service.ts'
import type { Running, Subject } from '../http/subject.ts'
import { type Launching, openLaunching } from '../launch/launching.ts'
import type { Emit } from '../log/event.ts'
import * as events from '../log/event.ts'
import type { Messenger } from '../notify/messenger.ts'
import { DiskRoom } from '../store/disk-room.ts'
import { prepareStateDirectory } from '../store/state-directory.ts'
import type { StateStore } from '../store/state-store.ts'
import { assembleDaemon } from './assembly.ts'
import { type ExitCode, exitCodeOf, FAILED } from './exit-code.ts'
import { releaseMemorySoon } from './memory.ts'
import { Presence } from './presence.ts'
import { MARKS_OF_CRON, runAtReboot } from './reboot.ts'
import { Reloads } from './reloads.ts'
import { systemdNotifier } from './sd-notify.ts'

/** With this many jobs, a garbage collection after loading is worth its pause. */
const MANY_JOBS = 500
/** Fewer files are read in no time. */
const MANY_FILES = 1_000

/** The time that a fatal error waits for children that must end. */
const LAST_PATIENCE = 15_000
/** The same when serve is dead: no start is answered any more, and only writes may still be under way. */
const LAST_PATIENCE_WITHOUT_SERVE = 500

export interface KrondParts {
  readonly options: DaemonOptions
  readonly reader: Pick<ConfigurationReader, 'read' | 'rezone' | 'zones'>
  readonly runAs: Pick<RunAs, 'of'>
  readonly emit: Emit
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly priority: StartPriority
  /** The tokens beside krond's own. */
  readonly furtherTokens: ScopedTokens
  /** Lines that jobs print; they go only to the log. */
  readonly emitOutput: Emit
  readonly http?: HttpService
  readonly clock?: Clock
  readonly disk?: Disk
  /** Stands between the daemon and `kron-shim serve`. */
  readonly channel?: (channel: Channel) => Channel
  /** Files of other crons: if one exists, the @reboot lines of crontabs have run. */
  readonly marksOfCron?: readonly string[]
  /** As in `DaemonParts`. A test whose clock is faster than the shim's replies makes it longer. */
  readonly longestSearchMs?: number
}

/** The whole daemon, from the lock to the exit code. */
export class Krond {
  readonly #parts: KrondParts
  readonly #startedAt = systemClock.now()
  #launching: Launching | undefined
  #store: StateStore | undefined
  #daemon: Daemon | undefined
  #presence: Presence | undefined
  #listener: Listener | undefined
  readonly #room: DiskRoom
  readonly #zoneWatch: ZoneWatch
  readonly #desk: ControlDesk
  readonly #operations: Operations
  /** The daemon as the API shows it; undefined until it has begun. */
  #subject: Subject | undefined
  #messenger: Messenger | undefined
  readonly #reloads: Reloads
  #leave!: (code: ExitCode) => void
  /** Resolves with the exit code when everything is over. */
  readonly over = new Promise<ExitCode>(resolve => {
    this.#leave = resolve
  })
  #isOver = false

  constructor(parts: KrondParts) {
    this.#parts = parts
    const { options, emit } = parts
    const back = (): void => this.#daemon?.roomFreed()
    this.#room = new DiskRoom({ directory: options.stateDir, emit, back })
    const { clock = systemClock } = parts
    this.#reloads = new Reloads({
      ...parts,
      running: () =>
        this.#isOver || this.#daemon === undefined
          ? undefined
          : { daemon: this.#daemon, store: this.#store! },
      begun: () => this.#presence?.reloading(),
      applied: ({ entries }) => {
        this.#messenger?.define(entries)
        if (entries.length >= MANY_JOBS) releaseMemorySoon()
        // With --listen the service counts the event.
        if (parts.http === undefined) this.#subject!.ledger.configuration++
      },
      over: () => this.#tellReady(),
      orFail: work => this.#orFail(work),
    })
    const takeUp = (): Promise<void> => this.#reloads.rezone()
    this.#zoneWatch = new ZoneWatch({ zones: parts.reader.zones, takeUp, emit })
    this.#operations = new Operations({
      actions: () => (this.#subject === undefined ? undefined : this.#daemon?.actions),
      testNotifications: entry => this.#messenger!.test(entry),
      reload: () => this.reload(),
      prune: dryRun => this.#reloads.prune(dryRun),
      audit: new AuditLog(options.stateDir),
      tokens: parts.furtherTokens,
      now: () => Math.floor(clock.now() / 1_000),
    })
    this.#desk = new ControlDesk({
      uid: account().uid,
      status: viewer => this.#statusFor(viewer),
      reload: viewer => this.#operations.reload(viewer, {}),
      tokens: this.#operations,
      subject: () => this.#subject,
      idle: () => parts.priority.idle(),
      spool: options.crontabs.users[0],
      warn: message => emit(events.warned('answer', message)),
    })
  }

  /** Lock, state, plan, loop; a failure is an exit code. */
  async start(configuration: Configuration): Promise<void> {
    const { options, emit } = this.#parts
    try {
      prepareStateDirectory(options.stateDir, process.getuid?.() ?? 0)
      await this.#launch()
      await this.#listen()
      this.#presence?.loading(configuration.entries.length, 0)
      const { daemon, store, messenger } = await assembleDaemon({
        krond: this.#parts,
        launching: this.#launching!,
        desk: this.#desk,
        room: this.#room,
        fatal: error => void this.#fail(error),
      })
      this.#store = store
      this.#messenger = messenger
      this.#daemon = daemon
      const { journalled } = store
      messenger.define(configuration.entries)
      this.#reloads.refusedFiles = configuration.refused
      await daemon.start(configuration.entries, this.#presence!.progress(configuration.entries.length))
      this.#show(daemon)
      await messenger.start(journalled)
      await this.#reportStart(daemon)
      this.#zoneWatch.start()
      if (hasCrontabs(options)) await this.#runAtReboot(daemon, configuration)
      if (configuration.entries.length >= MANY_JOBS) releaseMemorySoon()
      // The lines of the summary are garbage afterwards, too.
      if (store.filesRead >= MANY_FILES) void daemon.summarise().then(releaseMemorySoon)
    } catch (error) {
      if (!(error instanceof KronError)) throw error
      emit(events.failed(error))
      this.#end(exitCodeOf(error))
    }
  }

  #runAtReboot(daemon: Daemon, { entries }: Configuration): Promise<void> {
    const { options, emit, marksOfCron = MARKS_OF_CRON } = this.#parts
    const trigger = (request: TriggerRequest): Promise<TriggerAnswer> => daemon.actions.trigger(request)
    const isRoot = account().uid === 0
    const { stateDir } = options
    return runAtReboot(entries, { stateDir, bootId: bootId(), isRoot, marksOfCron, emit, trigger })
  }

  /** Operators see everything, other users the jobs that run as them. */
  #statusFor(viewer: Viewer): Status {
    const isOperator = viewer.kind === 'operator'
    const about = {
      pid: process.pid,
      startedAt: this.#startedAt,
      refusedFiles: isOperator ? this.#reloads.refusedFiles : [],
      listener: this.#listener?.status ?? null,
      startsStopped: this.#room.problem,
      refusedReload: this.#reloads.refused,
    }
    const isVisible = (entry: Entry): boolean => maySee(viewer, this.#parts.runAs.of(entry)?.uid ?? -1)
    return statusOf(this.#daemon!.driver, about, isOperator ? undefined : isVisible)
  }

  /** Parses everything, then replaces everything or nothing. */
  reload(read?: () => Configuration): Promise<ReloadResult> {
    return this.#reloads.reload(read)
  }

  async stop(): Promise<void> {
    const { options, emit } = this.#parts
    if (this.#isOver) return
    this.#presence?.stopping()
    emit(events.stopping(this.#daemon!.driver.runningCount, options.stop))
    this.#store!.stopWaiting()
    const stopped = this.#daemon!.stop(options.stop)
    const patience = options.stopTimeout
    if (patience === undefined) await stopped
    else await Promise.race([stopped, pause(patience)])
    await this.#orFail(async () => {
      const left = this.#daemon!.driver.runningCount
      this.#isOver = true
      await this.#store!.flush()
      if (this.#daemon!.driver.jobs.size >= MANY_FILES) await this.#daemon!.summarise()
      await this.#close()
      emit(events.stopped(left))
      this.#leave(0)
    })
  }

  /** Ends now: durable state stays, and children go on until the next daemon adopts them. */
  abandon(): void {
    if (this.#isOver) return
    this.#parts.emit(events.stopped(this.#daemon?.driver.runningCount ?? 0))
    this.#withdraw()
    this.#end(0)
  }

  /** An unexpected error: the daemon exits rather than go on in a wrong state. */
  crash(error: unknown): void {
    const message = error instanceof Error ? (error.stack ?? error.message) : String(error)
    void this.#fail(new SystemError(message, { component: 'daemon', operation: 'run', cause: error }))
  }

  /** From here on the lock is held, and runs can be started. */
  async #launch(): Promise<void> {
    const { options, emit } = this.#parts
    const onDeath = (error: KronError): void => void this.#fail(error, LAST_PATIENCE_WITHOUT_SERVE)
    this.#launching = await openLaunching({ options, emit, onDeath })
    const { serve } = this.#launching
    const notifier = systemdNotifier(text => serve.send(['notify', text]))
    this.#presence = new Presence({ options, emit, notifier })
  }

  async #listen(): Promise<void> {
    const { http, emit } = this.#parts
    if (http === undefined) return
    this.#listener = new Listener({
      address: http.address,
      scheme: http.scheme,
      open: () => http.open(),
      emit,
    })
    await this.#listener.start()
  }

  /** After this the daemon can be inspected and acted on. */
  #show({ driver }: Daemon): void {
    const { http, runAs, clock = systemClock } = this.#parts
    const watched: Running = {
      driver,
      jobs: driver.jobs,
      store: this.#store!,
      refusedFiles: () => this.#reloads.refusedFiles,
      startsStopped: () => this.#room.problem,
      refusedReload: () => this.#reloads.refused ?? null,
      owner: entry => runAs.of(entry)?.uid ?? account().uid,
      outputs: { read: runId => readKeptOutput(`${this.#launching!.runsDir}/${runId}.output`) },
      notifications: () => this.#messenger!.figures,
      operations: this.#operations,
    }
    this.#subject =
      http?.attach(watched) ?? makeSubject(watched, { startedAt: this.#startedAt, now: () => clock.now() })
  }

  async #reportStart({ driver }: Daemon): Promise<void> {
    this.#presence?.publish()
    const { emit, reader } = this.#parts
    const refused = this.#reloads.refusedFiles.length
    emit(events.startedDaemon(driver.jobs.size, driver.runningCount, refused, reader.zones.source()))
    this.#tellReady()
  }

  #tellReady(): void {
    const { jobs, runningCount } = this.#daemon!.driver
    if (!this.#isOver) this.#presence?.ready(jobs.size, runningCount)
  }

  /** A write failed, serve died, or an unexpected error: nothing more is scheduled, and runs whose start is not recorded are ended. */
  async #fail(error: KronError, patience = LAST_PATIENCE): Promise<void> {
    if (this.#isOver) return
    this.#isOver = true
    this.#parts.emit(events.failed(error))
    const stopped = this.#daemon?.stop('leave') ?? Promise.resolve()
    await Promise.race([stopped, pause(patience)])
    this.#withdraw()
    this.#leave(FAILED)
  }

  async #orFail(act: () => Promise<void>): Promise<void> {
    try {
      await act()
    } catch (error) {
      if (!(error instanceof KronError)) throw error
      this.#isOver = false
      await this.#fail(error)
    }
  }

  #end(code: ExitCode): void {
    this.#isOver = true
    this.#leave(code)
  }

  async #close(): Promise<void> {
    this.#withdraw()
    await this.#store?.close()
    await this.#messenger?.stop()
    this.#launching?.serve.close()
    if (this.#launching !== undefined) closeRuntimeDirectory(this.#launching.runtime)
  }

  #withdraw(): void {
    this.#listener?.stop()
    this.#room.close()
    this.#zoneWatch.stop()
    this.#parts.http?.close()
    this.#presence?.withdraw()
  }
}

const pause = (milliseconds: number): Promise<void> =>
  new Promise(resolve => {
    // Node treats a longer timer as one of a millisecond.
    setTimeout(resolve, Math.min(milliseconds, 2 ** 31 - 1)).unref()
  })
