import { hash as nativeHash, randomUUID } from 'node:crypto'
import { IncompatibleStateError, KronError, PersistenceError, printInstant, SystemError } from '@kron/core'
import {
  bootId,
  type Channel,
  closeRuntimeDirectory,
  type Entry,
  type Identity,
  LockHeldError,
  type RunAs,
  readKeptOutput,
  Shim,
} from '@kron/host'
import type { ReloadResult } from '@kron/host/api'
import { type Clock, type Disk, nodeDisk, systemClock } from '@kron/runtime'
import { AuditLog } from './api/audit.ts'
import { Operations } from './api/operations.ts'
import { account } from './config/account.ts'
import type { Configuration, ConfigurationReader } from './config/configuration.ts'
import type { DaemonOptions } from './config/options.ts'
import { ZoneWatch } from './config/zone-watch.ts'
import type { Asker } from './control/control.ts'
import { ControlDesk } from './control/desk.ts'
import { type Status, statusOf } from './control/status.ts'
import type { TriggerAnswer, TriggerRequest } from './driver/action.ts'
import { Daemon, type Reload } from './effects/daemon.ts'
import type { StartPriority } from './effects/start-priority.ts'
import { Listener } from './http/listener.ts'
import { quietSubject } from './http/quiet-subject.ts'
import type { HttpService } from './http/service.ts'
import type { Running, Subject } from './http/subject.ts'
import { JobOutput } from './launch/job-output.ts'
import { type Launching, openLaunching } from './launch/launching.ts'
import { hostOldRuns } from './launch/old-runs.ts'
import { hostRunFiles, type RunFiles } from './launch/run-files.ts'
import { ShimProcesses } from './launch/shim-processes.ts'
import type { Changes, Emit } from './log/event.ts'
import * as events from './log/event.ts'
import { Telling } from './notify/telling.ts'
import { releaseGrownMemory, releaseMemory } from './service/memory.ts'
import { systemdNotifier } from './service/notifier.ts'
import { Presence } from './service/presence.ts'
import { runAtReboot } from './service/reboot.ts'
import { DiskRoom } from './store/disk-room.ts'
import { pauseFile } from './store/pause-file.ts'
import { prepareStateDirectory } from './store/state-directory.ts'
import { type SavedState, StateStore } from './store/state-store.ts'
import { packageVersion } from './version.ts'

export type ExitCode = 0 | 1 | 2 | 3 | 4

/** With this many jobs, a garbage collection after loading is worth its pause. */
const MANY_JOBS = 500
/** Fewer files are read in no time. */
const MANY_FILES = 1_000

const PROGRESS_EVERY = 1_000

/** The time that a fatal error waits for children that must end. */
const LAST_PATIENCE = 15_000
/** The same when serve is dead: no start is answered any more, and only writes may still be under way. */
const LAST_PATIENCE_WITHOUT_SERVE = 500

export interface HostParts {
  readonly options: DaemonOptions
  readonly reader: Pick<ConfigurationReader, 'read' | 'rezone' | 'zones'>
  readonly runAs: Pick<RunAs, 'of'>
  readonly emit: Emit
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly priority: StartPriority
  /** Lines that jobs print; they go only to the log. */
  readonly emitOutput: Emit
  readonly http?: HttpService
  readonly clock?: Clock
  readonly disk?: Disk
  /** Stands between the daemon and `kron-shim serve`. */
  readonly channel?: (channel: Channel) => Channel
}

/** The daemon on the real host, from the lock to the exit code. */
export class Host {
  private readonly parts: HostParts
  private readonly startedAt = systemClock.now()
  private launching: Launching | undefined
  private store: StateStore | undefined
  private daemon: Daemon | undefined
  private presence: Presence | undefined
  private listener: Listener | undefined
  private readonly room: DiskRoom
  private readonly zoneWatch: ZoneWatch
  private readonly desk: ControlDesk
  private readonly operations: Operations
  /** The daemon as the API shows it; undefined until it has begun. */
  private subject: Subject | undefined
  private telling: Telling | undefined
  private refusedFiles: readonly string[] = []
  private refusedReload: Status['refusedReload']
  private reloading: Promise<unknown> = Promise.resolve()
  private leave!: (code: ExitCode) => void
  /** Resolves with the exit code when everything is over. */
  readonly over = new Promise<ExitCode>(resolve => {
    this.leave = resolve
  })
  private isOver = false

  constructor(parts: HostParts) {
    this.parts = parts
    const { options, emit } = parts
    const back = (): void => this.daemon?.roomFreed()
    this.room = new DiskRoom({ directory: options.stateDir, emit, back })
    this.zoneWatch = new ZoneWatch({ zones: parts.reader.zones, takeUp: () => this.rezone(), emit })
    const { clock = systemClock } = parts
    this.operations = new Operations({
      actions: () => (this.subject === undefined ? undefined : this.daemon),
      testNotifications: entry => this.telling!.test(entry),
      reload: () => this.reload(),
      audit: new AuditLog(options.stateDir),
      now: () => Math.floor(clock.now() / 1_000),
    })
    this.desk = new ControlDesk({
      uid: account().uid,
      status: asker => this.statusFor(asker),
      reload: viewer => this.operations.reload(viewer, {}),
      subject: () => this.subject,
      idle: () => parts.priority.idle(),
      spool: options.crontabs.users[0],
      warn: message => emit(events.warned('answer', message)),
    })
  }

  /** Lock, state, plan, loop; a failure is an exit code. */
  async start(configuration: Configuration): Promise<void> {
    const { options, emit } = this.parts
    try {
      prepareStateDirectory(options.stateDir, process.getuid?.() ?? 0)
      await this.launch()
      await this.listen()
      this.presence?.loading(configuration.entries.length, 0)
      this.daemon = await this.makeDaemon()
      const { journalled } = this.store!
      this.telling!.define(configuration.entries)
      this.refusedFiles = configuration.refused
      await this.daemon.start(configuration.entries, this.progress(configuration.entries.length))
      this.show(this.daemon)
      await this.telling!.start(journalled)
      await this.announce(this.daemon)
      this.zoneWatch.start()
      if (hasCrontabs(options)) await this.runAtReboot(this.daemon, configuration)
      if (configuration.entries.length >= MANY_JOBS) releaseMemory()
      if (this.store!.filesRead >= MANY_FILES) void this.daemon.summarise()
    } catch (error) {
      if (!(error instanceof KronError)) throw error
      emit(events.failed(error))
      this.end(exitCodeOf(error))
    }
  }

  private runAtReboot(daemon: Daemon, { entries }: Configuration): Promise<void> {
    const { options, emit } = this.parts
    const trigger = (request: TriggerRequest): Promise<TriggerAnswer> => daemon.trigger(request)
    const isRoot = account().uid === 0
    return runAtReboot(entries, { stateDir: options.stateDir, bootId: bootId(), isRoot, emit, trigger })
  }

  /** Operators see everything, other users the jobs that run as them. */
  private statusFor(asker: Asker): Status {
    const isOperator = asker === 'operator'
    const about = {
      pid: process.pid,
      startedAt: this.startedAt,
      refusedFiles: isOperator ? this.refusedFiles : [],
      listener: this.listener?.status ?? null,
      startsStopped: this.room.problem,
      refusedReload: this.refusedReload,
    }
    const { runAs } = this.parts
    return statusOf(
      this.daemon!.driver,
      about,
      isOperator ? undefined : entry => runAs.of(entry)?.uid === asker.uid,
    )
  }

  /** Parses everything, then replaces everything or nothing. Reloads run one at a time. */
  reload(read = (): Configuration => this.parts.reader.read()): Promise<ReloadResult> {
    const result = this.reloading.then(() => this.reloadNow(read))
    this.reloading = result.catch(() => {})
    return result
  }

  /** Takes up zone files that an update of the host has replaced, between two reloads. */
  private rezone(): Promise<void> {
    const done = this.reloading.then(async () => {
      if (this.isOver || this.daemon === undefined) return
      const { reader, emit } = this.parts
      const { changed, entries } = reader.rezone()
      if (changed.length === 0) return
      await this.orFail(async () => {
        const changes = await this.daemon!.reload(entries)
        emit(events.zonesChanged(changed, reader.zones.source(), changes.changed))
      })
    })
    this.reloading = done.catch(() => {})
    return done
  }

  private async reloadNow(read: () => Configuration): Promise<ReloadResult> {
    const { emit } = this.parts
    if (this.isOver || this.daemon === undefined) return { kind: 'refused', mistakes: ['krond is stopping'] }
    this.presence?.reloading()
    const configuration = read()
    const reload = await this.prepareReload(configuration)
    if ('kind' in reload) {
      this.refusedReload = {
        at: printInstant(Math.floor(systemClock.now() / 1_000)),
        mistakes: reload.mistakes.length,
      }
      this.tellReady()
      return reload
    }
    let changes: Changes = { added: 0, changed: 0, removed: 0, unchanged: 0 }
    await this.orFail(async () => {
      changes = await this.daemon!.apply(reload)
      this.refusedFiles = configuration.refused
      this.telling?.define(configuration.entries)
      this.refusedReload = undefined
      if (configuration.entries.length >= MANY_JOBS) releaseMemory()
      emit(events.reloaded(changes, configuration.refused.length))
      // With --listen the service has seen the event.
      if (this.parts.http === undefined) this.subject!.ledger.configuration++
    })
    this.tellReady()
    return { kind: 'applied', changes, refusedFiles: this.refusedFiles }
  }

  async stop(): Promise<void> {
    const { options, emit } = this.parts
    if (this.isOver) return
    this.presence?.stopping()
    emit(events.stopping(this.daemon!.driver.runningCount, options.stop))
    const stopped = this.daemon!.stop(options.stop)
    const patience = options.stopTimeout
    if (patience === undefined) await stopped
    else await Promise.race([stopped, pause(patience)])
    await this.orFail(async () => {
      const left = this.daemon!.driver.runningCount
      this.isOver = true
      await this.store!.flush()
      if (this.daemon!.driver.jobs.size >= MANY_FILES) await this.daemon!.summarise()
      await this.close()
      emit(events.stopped(left))
      this.leave(0)
    })
  }

  /** Ends now: durable state stays, and children go on until the next daemon adopts them. */
  abandon(): void {
    if (this.isOver) return
    this.parts.emit(events.stopped(this.daemon?.driver.runningCount ?? 0))
    this.withdraw()
    this.end(0)
  }

  /** An unexpected error: the daemon exits rather than go on in a wrong state. */
  crash(error: unknown): void {
    const message = error instanceof Error ? (error.stack ?? error.message) : String(error)
    void this.fail(new SystemError(message, { component: 'daemon', operation: 'run', cause: error }))
  }

  private async prepareReload(
    configuration: Configuration,
  ): Promise<Reload | (ReloadResult & { kind: 'refused' })> {
    const { emit, options } = this.parts
    for (const error of [...configuration.errors, ...configuration.crontabErrors]) emit(events.failed(error))
    if (configuration.errors.length > 0 && !options.keepGoing) {
      emit(events.reloadRefused(configuration.errors.length))
      return { kind: 'refused', mistakes: configuration.errors.map(placeAndMessage) }
    }
    try {
      return await this.daemon!.prepare(configuration.entries)
    } catch (error) {
      if (!(error instanceof KronError)) throw error
      emit(events.failed(error))
      emit(events.reloadRefused(1))
      return { kind: 'refused', mistakes: [placeAndMessage(error)] }
    }
  }

  /** From here on the lock is held, and runs can be started. */
  private async launch(): Promise<void> {
    const { options, emit } = this.parts
    const onDeath = (error: KronError): void => void this.fail(error, LAST_PATIENCE_WITHOUT_SERVE)
    this.launching = await openLaunching({ options, emit, onDeath })
    const { serve } = this.launching
    const notifier = systemdNotifier(text => serve.send(['notify', text]))
    this.presence = new Presence({ options, emit, notifier })
  }

  private async makeDaemon(): Promise<Daemon> {
    const { options, emit, emitOutput, http, priority } = this.parts
    const { environment, runAs, clock = systemClock, disk = nodeDisk } = this.parts
    const { serve, runtime, runsDir, bootClock } = this.launching!
    const fatal = (error: KronError): void => void this.fail(error)
    const output = new JobOutput(emitOutput)
    const shim = new Shim(this.parts.channel?.(serve) ?? serve, {
      output: (...given) => output.receive(...given),
      request: request =>
        void this.desk.answer(request).then(text => shim.answer(request.connection, text, true)),
    })
    const boot = { id: bootId(), time: () => bootClock.nowMs() }
    const whom = (entry: Entry): Identity | undefined => runAs.of(entry)
    const files = hostRunFiles(runtime.claimsDir, runsDir)
    const processes = new ShimProcesses({
      shim,
      claimsId: runtime.id,
      files,
      oldRuns: hostOldRuns(clock, whom),
      clock,
      boot,
      environment,
      runAs: whom,
      onRef: (ref, entry, executionId) => output.expect(ref, entry, executionId),
    })
    this.store = await StateStore.open({
      disk,
      directory: options.stateDir,
      clock,
      history: options.history,
      fatal,
      lull: () => priority.idle(),
      caughtUp: releaseGrownMemory,
      noRoom: error => this.room.failed(error),
      onSaved: saved => removeTraces(saved, processes, files),
      beforeCut: async () => this.telling?.settled(),
      ...(http === undefined ? {} : { observer: http.stateObserver }),
    })
    const { store } = this
    this.telling = await Telling.open({
      options,
      disk,
      emit,
      now: () => clock.now(),
      idle: () => priority.idle(),
      peek: identity => store.peek(identity),
    })
    return new Daemon({
      clock,
      store: this.store,
      pauses: pauseFile(disk, options.stateDir),
      priority,
      processes,
      boot,
      emit: event => {
        emit(event)
        this.telling!.observe(event)
      },
      hash: text => nativeHash('sha256', text, 'hex'),
      newId: randomUUID,
      debug: options.logLevel === 'debug',
      fatal,
      mayStart: () => this.room.mayStart(),
      maxConcurrent: options.maxConcurrent,
    })
  }

  /** Reports the progress of loading every second, after the first second. */
  private progress(jobs: number): (done: number) => void {
    let told = performance.now()
    return done => {
      if (performance.now() - told < PROGRESS_EVERY) return
      told = performance.now()
      this.presence?.loading(jobs, done)
    }
  }

  private async listen(): Promise<void> {
    const { http, emit } = this.parts
    if (http === undefined) return
    this.listener = new Listener({
      address: http.address,
      scheme: http.scheme,
      open: () => http.open(),
      emit,
    })
    await this.listener.start()
  }

  /** After this the daemon can be inspected and acted on. */
  private show({ driver }: Daemon): void {
    const { http, runAs, clock = systemClock } = this.parts
    const watched: Running = {
      driver,
      jobs: driver.jobs,
      store: this.store!,
      refusedFiles: () => this.refusedFiles,
      startsStopped: () => this.room.problem,
      refusedReload: () => this.refusedReload ?? null,
      owner: entry => runAs.of(entry)?.uid ?? account().uid,
      outputs: { read: runId => readKeptOutput(`${this.launching!.runsDir}/${runId}.output`) },
      operations: this.operations,
    }
    http?.attach(watched)
    this.subject =
      http?.watched ??
      quietSubject(watched, {
        version: packageVersion(),
        hash: text => nativeHash('sha256', text, 'hex'),
        startedAt: this.startedAt,
        now: () => clock.now(),
      })
  }

  private async announce({ driver }: Daemon): Promise<void> {
    this.presence?.announce()
    const { emit, reader } = this.parts
    const refused = this.refusedFiles.length
    emit(events.startedDaemon(driver.jobs.size, driver.runningCount, refused, reader.zones.source()))
    this.tellReady()
  }

  private tellReady(): void {
    const { jobs, runningCount } = this.daemon!.driver
    if (!this.isOver) this.presence?.ready(jobs.size, runningCount)
  }

  /** A write failed: runs whose start is not recorded are ended, and nothing more is scheduled. */
  private async fail(error: KronError, patience = LAST_PATIENCE): Promise<void> {
    if (this.isOver) return
    this.isOver = true
    this.parts.emit(events.failed(error))
    const settled = this.daemon?.stop('leave') ?? Promise.resolve()
    await Promise.race([settled, pause(patience)])
    this.withdraw()
    this.leave(4)
  }

  private async orFail(act: () => Promise<void>): Promise<void> {
    try {
      await act()
    } catch (error) {
      if (!(error instanceof KronError)) throw error
      this.isOver = false
      await this.fail(error)
    }
  }

  private end(code: ExitCode): void {
    this.isOver = true
    this.leave(code)
  }

  private async close(): Promise<void> {
    this.withdraw()
    await this.store?.close()
    await this.telling?.stop()
    this.launching?.serve.close()
    if (this.launching !== undefined) closeRuntimeDirectory(this.launching.runtime)
  }

  private withdraw(): void {
    this.listener?.stop()
    this.room.close()
    this.zoneWatch.stop()
    this.parts.http?.close()
    this.presence?.withdraw()
  }
}

const hasCrontabs = ({ crontabs }: DaemonOptions): boolean =>
  crontabs.system.length + crontabs.users.length > 0

/** Leaves out the text of the line: more people see the mistake than may read the file. */
const placeAndMessage = ({ place, message }: KronError): string =>
  place === undefined ? message : `${place.file}:${place.line}:${place.column}: ${message}`

/** Removes claims and outputs that are no longer needed, now that the state files are written. */
function removeTraces(
  { endedClaims, forgotten }: SavedState,
  processes: ShimProcesses,
  files: RunFiles,
): void {
  for (const claim of endedClaims) processes.release(claim)
  for (const executionId of forgotten) files.removeOutput(executionId)
}

const pause = (milliseconds: number): Promise<void> =>
  new Promise(resolve => {
    // Node treats a longer timer as one of a millisecond.
    setTimeout(resolve, Math.min(milliseconds, 2 ** 31 - 1)).unref()
  })

function exitCodeOf(error: KronError): ExitCode {
  if (error instanceof LockHeldError || (error instanceof SystemError && error.component === 'lock')) return 3
  return error instanceof IncompatibleStateError || error instanceof PersistenceError ? 2 : 1
}
