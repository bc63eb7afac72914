import { KronError, printInstant } from '@kron/core'
import { type Entry, type Identity, launchSpecOf } from '@kron/host'
import {
  type Clock,
  type Exit,
  LaunchError,
  type Launcher,
  type ProcessIdentity,
  type ProcessTable,
  terminate,
} from '@kron/runtime'
import { type Ending, UNSEEN } from './execution.ts'
import type { Processes, Refusal, StartedProcess, StartRequest, Survivor } from './ports.ts'

export interface HostProcessesParts {
  readonly launcher: Launcher
  readonly table: ProcessTable
  readonly clock: Clock
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly runAs: (entry: Entry) => Identity | undefined
}

/** The processes of the real host. */
export class HostProcesses implements Processes {
  private readonly parts: HostProcessesParts

  constructor(parts: HostProcessesParts) {
    this.parts = parts
  }

  async start({ entry, executionId, nominal, chosen }: StartRequest): Promise<StartedProcess | Refusal> {
    const { launcher, clock, environment, runAs } = this.parts
    const occasion = { executionId, nominalTime: printInstant(nominal), chosenTime: printInstant(chosen) }
    const whom = resolved(() => runAs(entry))
    if (whom instanceof KronError) return { refused: whom }
    try {
      const { process, age, exited } = await launcher.launch(launchSpecOf(entry, occasion, environment, whom))
      const startedAt = clock.now() - age
      return {
        pid: process.pid,
        processStart: process.startTime,
        startedAt,
        ended: exited.then(endingOf),
      }
    } catch (error) {
      if (error instanceof LaunchError && error.created === 'no') return { refused: error }
      throw error
    }
  }

  async end(pid: number, processStart: number, graceMs: number): Promise<boolean> {
    const { table, clock } = this.parts
    const ended = await terminate(this.identity(pid, processStart), {
      processes: table,
      clock,
      grace: graceMs,
    })
    // A group that is not its own cannot be signalled, and then "nobody is left" says nothing of the process.
    return ended.kind === 'gone' && !this.isAlive(pid, processStart)
  }

  isAlive(pid: number, processStart: number): boolean {
    return this.parts.table.isAlive(this.identity(pid, processStart))
  }

  gone(pid: number, processStart: number): Promise<void> {
    return new Promise(resolve => {
      this.parts.table.watchExit(this.identity(pid, processStart), resolve)
    })
  }

  async survivors(): Promise<readonly Survivor[]> {
    const executions = await this.parts.table.findByEnvironment('KRON_EXECUTION_ID')
    return [...executions].map(([executionId, [oldest]]) => {
      const { identity, uid, environment } = oldest!
      return {
        executionId,
        pid: identity.pid,
        processStart: identity.startTime,
        identity: environment.get('KRON_IDENTITY') ?? '',
        periodId: environment.get('KRON_PERIOD_ID') ?? '',
        chosenTime: environment.get('KRON_CHOSEN_TIME') ?? '',
        mayBeOf: entry => this.mayRun(uid, entry),
      }
    })
  }

  /** The daemon's own user may run anything; of the others, only the one the job runs as. */
  private mayRun(uid: number, entry: Entry): boolean {
    if (uid === process.getuid?.()) return true
    const whom = resolved(() => this.parts.runAs(entry))
    return whom !== undefined && !(whom instanceof KronError) && whom.uid === uid
  }

  private identity(pid: number, startTime: number): ProcessIdentity {
    return { pid, startTime, bootId: this.parts.table.bootId() }
  }
}

/** A user who is gone since the files were read. */
function resolved<T>(find: () => T): T | KronError {
  try {
    return find()
  } catch (error) {
    if (error instanceof KronError) return error
    throw error
  }
}

function endingOf(exit: Exit): Ending {
  switch (exit.kind) {
    case 'code':
      return { exitCode: exit.code, signal: null }
    case 'signal':
      return { exitCode: null, signal: exit.signal }
    case 'unknown':
      return UNSEEN
  }
}
