import { ExecutionError, KronError, printInstant } from '@kron/core'
import {
  type ActiveState,
  type Entry,
  type FollowAnswer,
  nominalOfClaim,
  parseClaim,
  parseRunEnd,
  type RunAccount,
  type RunEnd,
  type RunSpec,
  runSpecOf,
  type Shim,
  type StartedRun,
  StartRefusedError,
  verifiedLines,
} from '@kron/host'
import type { Clock } from '@kron/runtime'
import type { Ending, EndingReason } from '../driver/execution.ts'
import { KILL_PATIENCE_MS } from '../driver/run.ts'
import type {
  Boot,
  ClaimedPeriod,
  Processes,
  Run,
  StartAnswer,
  StartRequest,
  Survivor,
  Trace,
} from '../effects/ports.ts'
import type { OldRuns } from './old-runs.ts'
import type { RunFiles } from './run-files.ts'

export interface ShimProcessesParts {
  readonly shim: Shim
  readonly claimsId: string
  readonly files: RunFiles
  readonly oldRuns: OldRuns
  readonly clock: Clock
  readonly boot: Boot
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly runAs: (entry: Entry) => RunAccount | undefined
  /** The run's output will arrive under this number. */
  readonly onRef: (ref: number, entry: Entry, executionId: string) => void
  /** Called with the name of a claim or end record of an earlier daemon that does not verify. */
  readonly onDamage?: (file: string) => void
  /** Called if a start finds no directory for its claim: somebody has removed the runtime directory. */
  readonly onDirectoryLost?: () => void
}

const MS_PER_SECOND = 1_000
/**
 * A start of an earlier daemon that is still under way after this time counts as running. Before it has passed, a run that
 * lacks processes has given up (5 s), so its period is not lost.
 */
const FOLLOW_PATIENCE_MS = 10_000
/** Conversions between the boot clock and the wall clock are right to this. */
const CLOCKS_APART_MS = 20

/** The runs of the real host, each with a shim of its own. */
export class ShimProcesses implements Processes {
  readonly claimsId: string
  readonly #parts: ShimProcessesParts
  /** The numbers of the starts that wait for their second, by execution id. */
  readonly #held = new Map<string, number>()

  constructor(parts: ShimProcessesParts) {
    this.#parts = parts
    this.claimsId = parts.claimsId
  }

  async start(request: StartRequest): Promise<StartAnswer> {
    const { entry, executionId, claim } = request
    const { shim, onRef } = this.#parts
    const spec = orError(() => this.#specOf(request))
    if (spec instanceof KronError) return { kind: 'refused', error: spec }
    const answer = await shim.start(claim, spec, ref => {
      onRef(ref, entry, executionId)
      if (request.notBefore !== undefined) this.#held.set(executionId, ref)
    })
    this.#held.delete(executionId)
    switch (answer.kind) {
      case 'started':
        return { kind: 'started', run: this.#runOf(answer.run, entry, request.notBefore) }
      case 'refused':
        if (answer.stage === 'held') return { kind: 'cancelled' }
        return this.#refused(new StartRefusedError(answer.stage, answer.errno, answer.detail))
      case 'already':
        return { kind: 'already', trace: await this.follow(entry, claim) }
      case 'unknown':
        return { kind: 'unknown', error: diedUnheard() }
    }
  }

  #refused(error: StartRefusedError): StartAnswer {
    if (error.stage === 'claim' && error.code === 'ENOENT') this.#parts.onDirectoryLost?.()
    return { kind: 'refused', error }
  }

  cancel(executionId: string): void {
    const ref = this.#held.get(executionId)
    if (ref !== undefined) this.#parts.shim.cancel(ref)
  }

  async follow(entry: Entry, claim: string): Promise<Trace> {
    const answer = this.#parts.shim.follow(claim)
    const first = await Promise.race([answer, this.#pause(FOLLOW_PATIENCE_MS)])
    return first === undefined ? this.#underWay(answer, entry) : this.#traceOf(first, entry)
  }

  async endRecord(executionId: string): Promise<(Trace & { kind: 'ended' }) | undefined> {
    const text = this.#parts.files.readEnd(executionId)
    const end = text === undefined ? undefined : parseRunEnd(verifiedLines(text) ?? [])
    if (text !== undefined && end === undefined) this.#parts.onDamage?.(`${executionId}.end`)
    return end === undefined ? undefined : this.#endedTrace(end)
  }

  attach(entry: Entry, active: ActiveState): Run | undefined {
    return this.#parts.oldRuns.attach(entry, active)
  }

  survivors(): Promise<readonly Survivor[]> {
    return this.#parts.oldRuns.survivors()
  }

  async claims(): Promise<readonly ClaimedPeriod[]> {
    return this.#parts.files.claimNames().flatMap(name => {
      const nominal = nominalOfClaim(name)
      if (nominal === undefined) return []
      const bytes = this.#parts.files.readClaim(name)
      const claim = bytes === undefined ? undefined : parseClaim(bytes)
      if (claim?.isDamaged) this.#parts.onDamage?.(name)
      const prefix = name.slice(0, name.indexOf('.') + 1)
      return [{ prefix, nominal, executionId: claim?.executionId }]
    })
  }

  release(claim: string): void {
    const { files } = this.#parts
    const executionId = this.#executionIn(claim)
    files.removeClaim(claim)
    if (executionId !== undefined) files.removeEnd(executionId)
  }

  #executionIn(claim: string): string | undefined {
    const bytes = this.#parts.files.readClaim(claim)
    return bytes === undefined ? undefined : parseClaim(bytes).executionId
  }

  #specOf({ entry, executionId, nominal, manual, chosen, notBefore, lastStart }: StartRequest): RunSpec {
    const { clock, boot, environment, runAs } = this.#parts
    const occasion = {
      executionId,
      nominalTime: nominal === undefined ? '' : printInstant(nominal),
      chosenTime: printInstant(chosen),
      ...(manual === undefined ? {} : { user: manual.user }),
    }
    const spec = runSpecOf(entry, occasion, environment, runAs(entry))
    // The wall clock is read first: it shows whole milliseconds, so every time below is at most a little late.
    const wallMs = clock.now()
    const bootTimeOf = (second: number): number => boot.time() + second * MS_PER_SECOND - wallMs
    return {
      ...spec,
      ...(notBefore !== undefined && { firstStartBootMs: bootTimeOf(notBefore) }),
      // The whole last second counts.
      lastStartBootMs: bootTimeOf(lastStart + 1),
    }
  }

  #runOf(run: StartedRun, entry: Entry, notBefore = 0): Run {
    const startedAt = this.#wallTime(run.startedBootMs)
    // The boot clock may be a little ahead, so a start at the beginning of its second may seem to be before it.
    const earlyMs = notBefore * MS_PER_SECOND - startedAt
    const ended = run.ended.then(end => (end === 'lost' ? LOST : this.#endingOf(end)))
    return {
      pid: run.pid,
      processStart: run.processStart,
      shimPid: run.shimPid,
      startedAt: earlyMs > 0 && earlyMs < CLOCKS_APART_MS ? notBefore * MS_PER_SECOND : startedAt,
      ended,
      end: (why, how) => this.#endRun(run, entry, why, how),
    }
  }

  async #endRun(
    run: StartedRun,
    { settings }: Entry,
    why: EndingReason,
    how: 'grace' | 'now',
  ): Promise<boolean> {
    this.#parts.shim.end(run.ref, ORDERS[why] ?? 'requested', how)
    const graceMs = how === 'now' ? 0 : settings.grace / 1_000_000
    const end = await Promise.race([run.ended, this.#pause(graceMs + KILL_PATIENCE_MS)])
    return end !== undefined && (end === 'lost' || end.left === 0)
  }

  #traceOf(answer: FollowAnswer, entry: Entry): Trace {
    switch (answer.kind) {
      case 'running':
        return { kind: 'running', run: this.#runOf(answer.run, entry) }
      case 'ended':
        return this.#endedTrace(answer.end)
      case 'lost':
        return { kind: 'unknown' }
      case 'gone':
        return { kind: 'never' }
    }
  }

  /** The command is still being started: it counts as running until its shim reports its end. */
  #underWay(answer: Promise<FollowAnswer>, entry: Entry): Trace {
    const ended = answer.then(late => {
      if (late.kind === 'running') return this.#runOf(late.run, entry).ended
      return late.kind === 'ended' ? this.#endingOf(late.end) : LOST
    })
    const run: Run = {
      pid: 0,
      processStart: 0,
      shimPid: 0,
      startedAt: this.#parts.clock.now(),
      ended,
      end: async (why, how) => {
        const late = await answer
        return late.kind === 'running' ? this.#endRun(late.run, entry, why, how) : true
      },
    }
    return { kind: 'running', run }
  }

  #endedTrace(end: RunEnd): Trace & { kind: 'ended' } {
    return { kind: 'ended', ending: this.#endingOf(end), startedAt: this.#wallTime(end.startedBootMs) }
  }

  #endingOf(end: RunEnd): Ending {
    const reason = REASONS[end.why]
    return {
      exitCode: end.exitCode,
      signal: end.signal,
      ...(reason === undefined ? {} : { reason }),
      endedAt: this.#wallTime(end.endedBootMs),
      durationMs: Math.round(end.endedBootMs - end.startedBootMs),
      ...(end.undeliveredBytes > 0 && { undeliveredBytes: end.undeliveredBytes }),
      usage: end.usage,
    }
  }

  /** Shims measure only the time since boot. */
  #wallTime(bootMs: number): number {
    return Math.floor(this.#parts.clock.now() - (this.#parts.boot.time() - bootMs))
  }

  #pause(milliseconds: number): Promise<undefined> {
    return new Promise(resolve => {
      this.#parts.clock.setTimer(milliseconds, () => resolve(undefined))
    })
  }
}

const LOST: Ending = { exitCode: null, signal: null, reason: 'unknown' }

/** The shim's names for our reasons, and our names for the shim's. */
const ORDERS: Readonly<Partial<Record<EndingReason, 'replaced' | 'stopped' | 'requested' | 'unrecorded'>>> = {
  replaced: 'replaced',
  shutdown: 'stopped',
  requested: 'requested',
  unrecorded: 'unrecorded',
}
const REASONS: Readonly<Record<RunEnd['why'], EndingReason | undefined>> = {
  exited: undefined,
  timeout: 'timeout',
  replaced: 'replaced',
  stopped: 'shutdown',
  requested: 'requested',
  unrecorded: 'unrecorded',
}

const diedUnheard = (): ExecutionError =>
  new ExecutionError('the shim died before it said whether the command was executed: it counts as executed', {
    component: 'launch',
    operation: 'launch',
    hint: 'something killed kron-shim; look for an out-of-memory kill in the kernel log',
  })

/** Returns the error if the user was deleted after the files were read, or if the command cannot be sent. */
function orError<T>(find: () => T): T | KronError {
  try {
    return find()
  } catch (error) {
    if (error instanceof KronError) return error
    throw error
  }
}
