import { ExecutionError, printInstant } from '@kron/core'
import type { Clock } from '@kron/runtime'
import type { Ending } from '../execution.ts'
import type { Processes, Refusal, StartedProcess, StartRequest, Survivor } from '../ports.ts'

export interface VirtualProcess extends Survivor {
  readonly startedAt: number
  /** How many executions of the same job were alive when it started. */
  readonly beside: number
  alive: boolean
  stubborn: boolean
  ending: Ending | undefined
  end: (ending: Ending) => void
  /** Who waits for its end without being its parent. */
  readonly watchers: (() => void)[]
}

/** How a start goes: how long the process lives in ms, or that it never comes to life. */
export type Behaviour =
  | { readonly lives: number; readonly exitCode?: number; readonly ignoresSignals?: boolean }
  | 'refuse'
  | 'lose'

/** Sees what happens to processes, the moment it happens. */
export interface ProcessObserver {
  started(process: VirtualProcess, request: StartRequest): void
  ended(process: VirtualProcess): void
  refused(request: StartRequest): void
  strangerEnded(pid: number): void
}

const FIRST_PID = 100
const LAST_PID = 139
const TICK = 10
/** How long after its end a process that is no child is found gone. */
const POLL = 500

/** The processes of a virtual machine: they outlive the daemon, and every start that happened is on record. */
export class VirtualProcesses implements Processes {
  readonly started: VirtualProcess[] = []
  behave: (request: StartRequest) => Behaviour = () => ({ lives: 1_000 })
  /** How long a process takes to end when it is told to, in ms. */
  lingers: () => number = () => 0
  observer: ProcessObserver | undefined
  living: VirtualProcess[] = []
  /** Processes of others, by PID: what a daemon must never take for its own. */
  private readonly strangers = new Map<number, number>()
  private readonly clock: Clock
  private nextPid = FIRST_PID
  private bootedAt = 0

  constructor(clock: Clock) {
    this.clock = clock
  }

  async start(request: StartRequest): Promise<StartedProcess | Refusal> {
    const behaviour = this.behave(request)
    if (behaviour === 'refuse') {
      this.observer?.refused(request)
      return { refused: new ExecutionError('no such file', { component: 'execution', operation: 'spawn' }) }
    }
    const process = this.create(request)
    if (behaviour === 'lose') {
      process.end({ exitCode: null, signal: null })
      throw new ExecutionError('nobody knows', { component: 'execution', operation: 'spawn' })
    }
    const ended = new Promise<Ending>(resolve => {
      const bury = process.end
      process.end = ending => {
        if (!process.alive) return
        bury(ending)
        resolve(ending)
      }
    })
    const { lives, exitCode = 0 } = behaviour
    if (Number.isFinite(lives)) this.clock.setTimer(lives, () => process.end({ exitCode, signal: null }))
    process.stubborn = behaviour.ignoresSignals ?? false
    return {
      pid: process.pid,
      processStart: process.processStart,
      startedAt: this.clock.now(),
      ended,
    }
  }

  async end(pid: number, processStart: number): Promise<boolean> {
    const process = this.find(pid, processStart)
    if (process === undefined) {
      if (this.strangers.get(pid) === processStart) this.observer?.strangerEnded(pid)
      return true
    }
    if (process.stubborn) return false
    const milliseconds = this.lingers()
    if (milliseconds > 0) await new Promise<void>(resolve => this.clock.setTimer(milliseconds, resolve))
    process.end({ exitCode: null, signal: 'SIGTERM' })
    return true
  }

  isAlive(pid: number, processStart: number): boolean {
    return this.find(pid, processStart) !== undefined || this.strangers.get(pid) === processStart
  }

  async gone(pid: number, processStart: number): Promise<void> {
    const process = this.find(pid, processStart)
    if (process === undefined) return
    await new Promise<void>(resolve => {
      process.watchers.push(() => this.clock.setTimer(POLL, resolve))
    })
  }

  async survivors(): Promise<readonly Survivor[]> {
    return this.living
  }

  /** The machine goes down, and with it everything that runs; PIDs and start times begin anew. */
  killAll(): void {
    for (const process of this.living) process.alive = false
    this.living = []
    this.strangers.clear()
    this.nextPid = FIRST_PID
    this.bootedAt = this.clock.monotonic!()
  }

  /** Processes of others that have by chance the PID and the start time of one that was ours. */
  impersonate(processes: Iterable<VirtualProcess>): void {
    for (const { pid, processStart } of processes) this.strangers.set(pid, processStart)
  }

  private create(request: StartRequest): VirtualProcess {
    const { identity } = request.entry
    const process: VirtualProcess = {
      pid: this.freePid(),
      processStart: Math.floor((this.clock.monotonic!() - this.bootedAt) / TICK),
      executionId: request.executionId,
      identity,
      periodId: printInstant(request.nominal),
      chosenTime: printInstant(request.chosen),
      startedAt: this.clock.now(),
      beside: this.living.filter(each => each.identity === identity).length,
      alive: true,
      stubborn: false,
      ending: undefined,
      end: ending => this.bury(process, ending),
      watchers: [],
    }
    this.started.push(process)
    this.living.push(process)
    this.observer?.started(process, request)
    return process
  }

  /** The range is short, so that PIDs are used again and again. */
  private freePid(): number {
    const last = LAST_PID + this.living.length + this.strangers.size
    for (;;) {
      const pid = this.nextPid
      this.nextPid = pid < last ? pid + 1 : FIRST_PID
      if (!this.strangers.has(pid) && !this.living.some(each => each.pid === pid)) return pid
    }
  }

  private find(pid: number, processStart: number): VirtualProcess | undefined {
    return this.living.find(each => each.pid === pid && each.processStart === processStart)
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
