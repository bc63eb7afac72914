import { printInstant } from '@kron/core'
import type { ActiveState, Entry } from '@kron/host'
import type { Clock } from '@kron/runtime'
import type { Ending } from '../../../../krond/src/driver/execution.ts'
import type { Run, Survivor } from '../../../../krond/src/effects/ports.ts'
import type { OldRuns } from '../../../../krond/src/launch/old-runs.ts'

export interface VirtualProcess extends Survivor {
  readonly startedAt: number
  /** CLOCK_BOOTTIME in milliseconds. */
  readonly startedBootMs: number
  /** The number of executions of the same job that were alive when it started. */
  readonly beside: number
  alive: boolean
  stubborn: boolean
  /** It was killed; the kernel may take its time. */
  isKilled: boolean
  ending: Ending | undefined
  /** Its shim was dead when it ended, so nobody knows its exit status. */
  isUnseen: boolean
  end: (ending: Ending) => void
  /** Called when the process ends. */
  readonly watchers: (() => void)[]
}

/** The behaviour of a start: the lifetime of the command in ms, or a failure to start. */
export type Behaviour =
  | {
      readonly lives: number
      readonly exitCode?: number
      readonly ignoresSignals?: boolean
      /** The shim is killed this many ms after the command was executed. */
      readonly shimDiesAfter?: number
    }
  | 'refuse'
  /** The shim is killed after the command was executed, before it could report that. */
  | 'lose'
  /** The shim is killed before the command was executed. */
  | 'loseBefore'

/** A start in the form in which the shim receives it. */
export interface VirtualRequest {
  readonly entry: Pick<Entry, 'identity' | 'name' | 'command'>
  readonly executionId: string
  readonly nominal: number
  readonly chosen: number
}

/** Observes events of processes at the moment they happen. */
export interface ProcessObserver {
  started(process: VirtualProcess, request: VirtualRequest): void
  ended(process: VirtualProcess): void
  refused(request: VirtualRequest): void
  /** serve holds a start until its second. */
  held(executionId: string): void
  /** A held start begins: the request that takes it back is still on its way to serve. */
  takenBackTooLate(executionId: string): void
  strangerEnded(pid: number): void
}

const FIRST_PID = 100
const LAST_PID = 139
const TICK = 10
/** The delay after which the end of a process without a shim is noticed. */
const POLL = 500

/** The processes of a virtual machine: they outlive the daemon, and every actual start is recorded. */
export class VirtualProcesses implements OldRuns {
  readonly started: VirtualProcess[] = []
  behave: (request: VirtualRequest) => Behaviour = () => ({ lives: 1_000 })
  /** The time that a process needs to end when it is told to, in ms. */
  lingers: () => number = () => 0
  observer: ProcessObserver | undefined
  living: VirtualProcess[] = []
  /** CLOCK_BOOTTIME of the machine in milliseconds. */
  bootTime: () => number = () => this.clock.monotonic!()
  readonly clock: Clock
  /** Processes of others, by PID, which a daemon must never mistake for its own. */
  private readonly strangers = new Map<number, number>()
  private nextPid = FIRST_PID
  private bootedAt = 0

  constructor(clock: Clock) {
    this.clock = clock
  }

  /** A command begins. */
  create(request: VirtualRequest): VirtualProcess {
    const { identity } = request.entry
    const process: VirtualProcess = {
      pid: this.freePid(),
      processStart: Math.floor((this.clock.monotonic!() - this.bootedAt) / TICK),
      executionId: request.executionId,
      identity,
      // A manual run is no period.
      periodId: Number.isNaN(request.nominal) ? '' : printInstant(request.nominal),
      chosenTime: printInstant(request.chosen),
      startedAt: this.clock.now(),
      startedBootMs: this.bootTime(),
      beside: this.living.filter(each => each.identity === identity).length,
      alive: true,
      stubborn: false,
      isKilled: false,
      ending: undefined,
      isUnseen: false,
      end: ending => this.bury(process, ending),
      watchers: [],
    }
    this.started.push(process)
    this.living.push(process)
    this.observer?.started(process, request)
    return process
  }

  attach(_entry: Entry, active: ActiveState): Run | undefined {
    const { PID: pid, ProcessStart: processStart, ChosenTime } = active
    const process = this.living.find(each => each.pid === pid && each.processStart === processStart)
    const startedAt = process?.startedAt ?? Date.parse(ChosenTime)
    if (process !== undefined) return this.oldRun(process, startedAt)
    if (this.strangers.get(pid) !== processStart) return undefined
    const end = async (): Promise<boolean> => {
      this.observer?.strangerEnded(pid)
      return true
    }
    return { pid, processStart, shimPid: 0, startedAt, ended: new Promise(() => {}), end }
  }

  async survivors(): Promise<readonly Survivor[]> {
    return this.living
  }

  /** Ends a process by a signal; undefined if it ignores signals. */
  async kill(process: VirtualProcess): Promise<Ending | undefined> {
    if (process.stubborn) return undefined
    process.isKilled = true
    const milliseconds = this.lingers()
    if (milliseconds > 0) await new Promise<void>(resolve => this.clock.setTimer(milliseconds, resolve))
    process.end({ exitCode: null, signal: 'SIGTERM' })
    return process.ending
  }

  /** The machine goes down with all its processes; PIDs and start times begin again. */
  killAll(): void {
    for (const process of this.living) process.alive = false
    this.living = []
    this.strangers.clear()
    this.nextPid = FIRST_PID
    this.bootedAt = this.clock.monotonic!()
  }

  /** Processes of others that happen to have the PID and the start time of a former process of ours. */
  impersonate(processes: Iterable<Pick<VirtualProcess, 'pid' | 'processStart'>>): void {
    for (const { pid, processStart } of processes) this.strangers.set(pid, processStart)
  }

  private oldRun(process: VirtualProcess, startedAt: number): Run {
    const { pid, processStart } = process
    const ended = new Promise<Ending>(resolve => {
      const unseen: Ending = { exitCode: null, signal: null, reason: 'unknown' }
      process.watchers.push(() => this.clock.setTimer(POLL, () => resolve(unseen)))
    })
    const end = async (): Promise<boolean> => (await this.kill(process)) !== undefined
    return { pid, processStart, shimPid: 0, startedAt, ended, end }
  }

  /** The range is short, so that PIDs are reused often. */
  private freePid(): number {
    const last = LAST_PID + this.living.length + this.strangers.size
    for (;;) {
      const pid = this.nextPid
      this.nextPid = pid < last ? pid + 1 : FIRST_PID
      if (!this.strangers.has(pid) && !this.living.some(each => each.pid === pid)) return pid
    }
  }

  private bury(process: VirtualProcess, ending: Ending): void {
    if (!process.alive) return
    process.alive = false
    process.ending = ending
    this.living = this.living.filter(each => each !== process)
    this.observer?.ended(process)
    for (const tell of process.watchers) tell()
  }
}
