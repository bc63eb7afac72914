import assert from 'node:assert/strict'
import { hash as nativeHash } from 'node:crypto'
import { type Hash, KronError, SystemError } from '@kron/core'
import { type Entry, Shim, type State, type StateEvent } from '@kron/host'
import { type Clock, type DiskLoss, VirtualClock, VirtualDisk } from '@kron/runtime'
import { Daemon } from '../../../../krond/src/effects/daemon.ts'
import type { Boot } from '../../../../krond/src/effects/ports.ts'
import { StartPriority } from '../../../../krond/src/effects/start-priority.ts'
import { ShimProcesses } from '../../../../krond/src/launch/shim-processes.ts'
import * as events from '../../../../krond/src/log/event.ts'
import { pauseFile } from '../../../../krond/src/store/pause-file.ts'
import { StateStore } from '../../../../krond/src/store/state-store.ts'
import { DaemonClock, daemonDisk } from './daemon-ports.ts'
import { durableStates } from './durable-states.ts'
import { FaultPlan, Life } from './fault-plan.ts'
import { entriesOf, JOB_FILE, parseLines, STATE_DIR } from './places.ts'
import type { Sabotage } from './sabotage.ts'
import { VirtualProcesses } from './virtual-processes.ts'
import { daemonFiles, type MessageFate, VirtualServe } from './virtual-serve.ts'
import { VirtualShims } from './virtual-shims.ts'

export { entriesOf, JOB_FILE, STATE_DIR }

export interface MachineOptions {
  readonly now: number
  readonly random?: () => number
  readonly maxConcurrent?: number
  /** Whether the disk has room for one more start; absent: it has. */
  readonly mayStart?: () => boolean
  readonly debug?: boolean
  readonly history?: number
  readonly hash?: Hash
  readonly failAt?: number
  /** An idle daemon wakes every minute; without this option those wake-ups are skipped. */
  readonly everyWakeUp?: boolean
  /** Deliberate mistakes between the daemon and its ports. */
  readonly sabotage?: Sabotage
  readonly observer?: MachineObserver
  /** The faults of messages between the daemon and its serve. */
  readonly messages?: MessageFate
}

/** Observes the daemon's actions at the moment they happen. */
export interface MachineObserver {
  emitted(event: events.Event): void
  /** The event is durable, as far as the daemon knows. */
  recorded(identity: string, event: StateEvent): void
}

/** A daemon whose serve has died ends after this time at the latest, in ms. */
const LAST_PATIENCE = 5_000

const sha256: Hash = text => nativeHash('sha256', text, 'hex')

/** A host in memory. Daemons come and go, by `stop` or by `crash`; the clock, disk and processes stay. */
export class Machine extends FaultPlan {
  readonly clock: VirtualClock
  readonly disk: VirtualDisk
  readonly processes: VirtualProcesses
  readonly shims: VirtualShims
  readonly events: events.Event[] = []
  fatal: KronError | undefined
  daemon: Daemon | undefined
  store: StateStore | undefined
  bootId = 'boot-1'
  /** A hash other than the correct one. */
  hash: Hash | undefined
  life = new Life()
  /** The daemon has ended by itself because a write failed. */
  gaveUp = false
  private daemonClock: DaemonClock | undefined
  private shimProcesses: ShimProcesses | undefined
  private serve: VirtualServe | undefined
  private starting: Promise<void> | undefined
  private boots = 1
  /** The monotonic time at which the machine was booted, minus its sleep. */
  private bootedAt = 0
  private ids = 0
  private booted:
    | { readonly lines: readonly string[]; readonly entries: readonly Entry[] | undefined }
    | undefined
  private readonly options: MachineOptions

  constructor(options: MachineOptions) {
    super()
    this.options = options
    this.failAt = options.failAt ?? Number.POSITIVE_INFINITY
    this.hash = options.hash
    this.clock = new VirtualClock({ now: options.now * 1_000 })
    this.disk = new VirtualDisk({
      now: () => this.clock.now(),
      ...(options.random ? { random: options.random } : {}),
    })
    this.processes = new VirtualProcesses(this.clock)
    this.processes.bootTime = () => this.clock.monotonic() - this.bootedAt
    this.shims = new VirtualShims(this.processes)
    void this.disk.makeDirectory(STATE_DIR, 0o700)
    void this.disk.makeDirectory('', 0o755)
    void this.disk.syncDirectory('')
  }

  get isDead(): boolean {
    return this.life.dead
  }

  /** Starts a daemon on job lines; resolves when it has planned its jobs, or died before that. */
  async boot(lines: readonly string[]): Promise<void> {
    const life = new Life()
    this.life = life
    this.fatal = undefined
    this.gaveUp = false
    this.daemon = undefined
    this.starting = undefined
    const fail = (error: unknown): void => this.giveUp(life, error)
    await Promise.race([this.begin(life, lines).catch(fail), life.ended])
  }

  /** Kills the daemon with kill -9; with `power`, cuts the power. */
  crash(power = false): DiskLoss | undefined {
    this.life.end()
    if (!power) {
      this.serve?.finish()
      return undefined
    }
    const loss = this.disk.crash()
    this.reboot()
    return loss
  }

  /** The machine reboots; the daemon's writes are on the disk. */
  reboot(): void {
    this.life.end()
    this.serve?.die()
    this.processes.killAll()
    this.shims.reboot()
    this.bootId = `boot-${++this.boots}`
    this.bootedAt = this.clock.monotonic()
  }

  /** Sets the wall clock. */
  jump(seconds: number): void {
    this.daemonClock?.wakeInTime()
    this.clock.jump(seconds * 1_000)
    this.serve?.clockSet()
  }

  /** Suspends the machine: nothing runs and no timer comes nearer, but CLOCK_BOOTTIME goes on. */
  sleep(seconds: number): void {
    this.jump(seconds)
    this.bootedAt -= seconds * 1_000
  }

  /**
   * An orderly stop, as on a host; a host with few jobs leaves no summary unless it is requested. Resolves with whether it
   * finished; if so, everything is durable.
   */
  async stop(summarise = false): Promise<boolean> {
    const { daemon, store, life } = this
    const stopping = async (): Promise<void> => {
      await daemon?.stop('wait')
      await store?.flush()
      if (summarise) await daemon?.summarise()
      await store?.close()
    }
    await Promise.race([stopping().catch(error => this.giveUp(life, error)), life.ended])
    const isFinished = !life.dead && this.fatal === undefined
    life.end()
    return isFinished
  }

  /** False if the lines have mistakes; in that case nothing changes. */
  async reload(lines: readonly string[]): Promise<boolean> {
    const { life } = this
    const entries = this.parse(lines)
    if (entries === undefined) return false
    const reloading = this.daemon!.reload(entries).catch((error: unknown) => this.giveUp(life, error))
    await Promise.race([reloading, life.ended])
    return true
  }

  /** Advances the time. */
  run(seconds: number): Promise<void> {
    return this.clock.run(seconds * 1_000)
  }

  /** The durable state of a job: its state file with the journal applied. */
  async state(name: string): Promise<State | undefined> {
    return (await durableStates(this.disk, [`${JOB_FILE}:${name}`]))[0]
  }

  /** The runs as `name period`, in order of start. */
  ran(): string[] {
    return this.processes.started.map(each => `${each.identity.split(':')[1]} ${each.periodId}`)
  }

  private async begin(life: Life, lines: readonly string[]): Promise<void> {
    const entries = this.parseAtBoot(lines)
    if (entries === undefined) return life.end()
    const { sabotage } = this.options
    const clock = new DaemonClock(this.clock, life)
    this.daemonClock = clock
    const seen = sabotage?.clock?.(clock) ?? clock
    const disk = daemonDisk(this.disk, this, life)
    const fatal = (error: KronError): void => this.giveUp(life, error)
    const opened = await StateStore.open({
      disk: sabotage?.disk?.(disk) ?? disk,
      directory: STATE_DIR,
      clock: seen,
      history: this.options.history ?? 50,
      fatal,
      onDamage: damage => {
        if (damage.kind === 'summary') return this.emit(life, events.summaryUnusable())
        if (damage.kind === 'journal') return this.emit(life, events.journalCut(damage.bytes))
        this.emit(life, events.stateCorrupt(damage.identity, damage.aside))
        if (!life.dead) this.daemon?.stateLost(damage.identity)
      },
      onSaved: ({ endedClaims }) => {
        if (!life.dead) for (const claim of endedClaims) this.shimProcesses!.release(claim)
      },
    })
    const store = sabotage?.store?.(this.observed(opened, life)) ?? this.observed(opened, life)
    this.store = store
    const boot: Boot = { id: this.bootId, time: () => this.clock.monotonic() - this.bootedAt }
    const processes = this.makeProcesses(life, seen, sabotage?.boot?.(boot) ?? boot)
    this.shimProcesses = processes
    const daemon = new Daemon({
      clock: seen,
      store,
      pauses: pauseFile(disk, STATE_DIR),
      priority: new StartPriority(seen, queueMicrotask),
      processes: sabotage?.processes?.(processes) ?? processes,
      boot: sabotage?.boot?.(boot) ?? boot,
      emit: event => this.emit(life, event),
      hash: text => (this.hash ?? sha256)(text),
      newId: () => `execution-${++this.ids}`,
      debug: this.options.debug ?? false,
      fatal,
      maxConcurrent: this.options.maxConcurrent ?? Number.POSITIVE_INFINITY,
      mayStart: this.options.mayStart ?? (() => true),
    })
    this.daemon = daemon
    if (!this.options.everyWakeUp) clock.nextDue = () => nextDue(daemon)
    this.starting = daemon.start(entries)
    await this.starting
  }

  /** The real client of the shim, on virtual shims. */
  private makeProcesses(life: Life, clock: Clock, boot: Boot): ShimProcesses {
    const { shims } = this
    const serve = new VirtualServe(shims, this, life, this.options.messages)
    serve.onDeath = () => this.killServe()
    this.serve = serve
    return new ShimProcesses({
      shim: new Shim(this.options.sabotage?.channel?.(serve) ?? serve),
      claimsId: shims.claimsId,
      files: daemonFiles(shims, this, life),
      oldRuns: this.processes,
      clock,
      boot,
      environment: {},
      runAs: () => undefined,
      onRef: () => {},
    })
  }

  /** kill -9 of serve: the daemon starts nothing more, finishes its writes if it can, and ends. */
  killServe(): void {
    const { life } = this
    this.serve?.die()
    if (life.dead) return
    const context = { component: 'launch', operation: 'serve' }
    this.fatal ??= new SystemError('kron-shim serve has ended: simulated', context)
    const end = (): void => life.end()
    void (this.daemon?.stop('leave') ?? Promise.resolve()).then(end)
    this.clock.setTimer(LAST_PATIENCE, end)
  }

  /** Waits until serve has every request: a clock that is set, or a new configuration, finds none on its way. */
  async requestsRead(): Promise<void> {
    while (this.serve?.isWaitedFor && !this.isDead) await this.run(1)
  }

  /** The entries of the lines. Most daemons boot with the lines of the daemon before them, which are parsed once. */
  private parseAtBoot(lines: readonly string[]): readonly Entry[] | undefined {
    if (this.options.sabotage?.parse !== undefined) return this.parse(lines)
    if (this.booted?.lines !== lines) this.booted = { lines, entries: this.parse(lines) }
    return this.booted.entries
  }

  private parse(lines: readonly string[]): readonly Entry[] | undefined {
    return (this.options.sabotage?.parse ?? parseLines)(lines)
  }

  private emit(life: Life, event: events.Event): void {
    if (life.dead) return
    const { observer } = this.options
    if (observer === undefined) this.events.push(event)
    else observer.emitted(event)
  }

  /** The same store, which reports its durable records to the observer. */
  private observed(store: StateStore, life: Life): StateStore {
    const { observer } = this.options
    if (observer === undefined) return store
    const record = store.record.bind(store)
    store.record = async (identity, seq, event) => {
      await record(identity, seq, event)
      if (!life.dead) observer.recorded(identity, event)
    }
    return store
  }

  /**
   * A write failed: as on a host, starts between intent and start are finished, then the daemon ends. A daemon that is
   * starting finishes its start first.
   */
  private giveUp(life: Life, error: unknown): void {
    assert.ok(error instanceof KronError, error as Error)
    if (life.dead || life !== this.life) return
    this.fatal ??= error
    const started = this.starting?.catch(() => {})
    void Promise.all([this.daemon?.stop('leave'), started]).then(() => {
      if (!life.dead) this.gaveUp = true
      life.end()
    })
  }
}

/** When the daemon's loop has work to do next. */
const nextDue = ({ driver }: Daemon): number => (driver.nextLook ?? Number.POSITIVE_INFINITY) * 1_000

/** The same object with some of its methods replaced. */
export function intercept<T extends object>(target: T, replaced: Partial<T>): T {
  return new Proxy(target, {
    get(_, key) {
      const own = Reflect.get(replaced, key)
      if (own !== undefined) return own
      const value: unknown = Reflect.get(target, key)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}
