import { ExecutionError, printInstant } from '@kron/core'
import type { Clock } from '@kron/runtime'
import type { Ending } from '../execution.ts'
import type { Processes, Refusal, StartedProcess, StartRequest, Survivor } from '../ports.ts'

export interface VirtualProcess extends Survivor {
  readonly startedAt: number
  /** How many executions of the same job were alive when it started. */
  readonly beside: number
  alive: boolean
  end: (ending: Ending) => void
}

/** How a start goes: how long the process lives in ms, or that it never comes to life. */
export type Behaviour =
  | { readonly lives: number; readonly exitCode?: number; readonly ignoresSignals?: boolean }
  | 'refuse'
  | 'lose'

/** The processes of a virtual machine: they outlive the daemon, and every start that happened is on record. */
export class VirtualProcesses implements Processes {
  readonly started: VirtualProcess[] = []
  behave: (request: StartRequest) => Behaviour = () => ({ lives: 1_000 })
  private readonly clock: Clock
  private nextPid = 100
  private living: VirtualProcess[] = []
  private readonly stubborn = new Map<number, boolean>()

  constructor(clock: Clock) {
    this.clock = clock
  }

  async start(request: StartRequest): Promise<StartedProcess | Refusal> {
    const behaviour = this.behave(request)
    if (behaviour === 'refuse') {
      return { refused: new ExecutionError('no such file', { component: 'execution', operation: 'spawn' }) }
    }
    const process = this.create(request)
    if (behaviour === 'lose') {
      this.bury(process)
      throw new ExecutionError('nobody knows', { component: 'execution', operation: 'spawn' })
    }
    const ended = new Promise<Ending>(resolve => {
      process.end = ending => {
        this.bury(process)
        resolve(ending)
      }
    })
    const { lives, exitCode = 0 } = behaviour
    if (Number.isFinite(lives)) this.clock.setTimer(lives, () => process.end({ exitCode, signal: null }))
    this.stubborn.set(process.pid, behaviour.ignoresSignals ?? false)
    return { pid: process.pid, processStart: process.processStart, ended }
  }

  async end(pid: number): Promise<boolean> {
    if (this.stubborn.get(pid)) return false
    this.byPid(pid)?.end({ exitCode: null, signal: 'SIGTERM' })
    return true
  }

  isAlive(pid: number, processStart: number): boolean {
    const process = this.byPid(pid)
    return process?.processStart === processStart && process.alive
  }

  async gone(pid: number, processStart: number): Promise<void> {
    while (this.isAlive(pid, processStart))
      await new Promise<void>(resolve => this.clock.setTimer(500, resolve))
  }

  async survivors(): Promise<readonly Survivor[]> {
    return this.living
  }

  killAll(): void {
    for (const process of this.living) process.alive = false
    this.living = []
  }

  private create(request: StartRequest): VirtualProcess {
    const process: VirtualProcess = {
      pid: this.nextPid++,
      processStart: this.clock.now(),
      executionId: request.executionId,
      identity: request.entry.identity,
      periodId: printInstant(request.nominal),
      chosenTime: printInstant(request.chosen),
      startedAt: this.clock.now(),
      beside: this.living.filter(each => each.identity === request.entry.identity).length,
      alive: true,
      end: () => {},
    }
    this.started.push(process)
    this.living.push(process)
    return process
  }

  private byPid(pid: number): VirtualProcess | undefined {
    return this.living.find(each => each.pid === pid)
  }

  private bury(process: VirtualProcess): void {
    process.alive = false
    this.living = this.living.filter(each => each !== process)
  }
}
