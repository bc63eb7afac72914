import { decide, type Hash, parseInstant, printInstant } from '@kron/core'
import { type ActiveState, claimName, claimOf, claimPrefix, type Entry, type ManualRun } from '@kron/host'
import { LAUNCHER } from '../driver/record.ts'
import type { Boot, ClaimedPeriod, LivingRun, Processes, Run, Survivor, Trace } from './ports.ts'

/** Looks for the runs that an earlier daemon left. */
export class Traces {
  readonly #processes: Processes
  readonly #boot: Boot
  readonly #hash: Hash
  /** Searched at most once, and only if some state needs it: the search reads all of /proc. */
  #survivors: Promise<readonly Survivor[]> | undefined

  constructor(processes: Processes, boot: Boot, hash: Hash) {
    this.#processes = processes
    this.#boot = boot
    this.#hash = hash
  }

  /** Must be called before jobs are examined again. */
  forgetSurvivors(): void {
    this.#survivors = undefined
  }

  /**
   * Finds out what became of an execution. If its intent is from this boot and this claims directory, the claim decides:
   * an intent without a claim never ran. Otherwise krond looks for an end record or a living process. If there is
   * neither, the command may have run, and the period counts as executed.
   */
  async of(entry: Entry, active: ActiveState | ManualRun): Promise<Trace> {
    const processes = this.#processes
    const boot = this.#boot
    const isSameBoot = active.BootID === boot.id
    const isIntent = active.StartedAt === ''
    if (active.Launcher === LAUNCHER && isSameBoot && active.Claims === processes.claimsId) {
      const trace = await processes.follow(entry, claimOf(entry.identity, active))
      if (trace.kind !== 'never' || isIntent) return trace
    }
    const end = await processes.endRecord(active.ExecutionID)
    if (end !== undefined) return end
    if (!isSameBoot) return { kind: 'unknown' }
    if (active.PID !== 0) return runningOrUnknown(processes.attach(entry, active))
    if (active.Launcher !== undefined) return { kind: 'unknown' }
    // The chosen time of this intent has not come, so nothing can have run.
    if (boot.time() < active.BootTime) return { kind: 'never' }
    const survivor = (await this.#allSurvivors()).find(each => each.executionId === active.ExecutionID)
    if (survivor === undefined) return { kind: 'unknown' }
    const { pid: PID, processStart: ProcessStart } = survivor
    return runningOrUnknown(processes.attach(entry, { ...active, PID, ProcessStart }))
  }

  /** The claims of a job and its living runs: those with claims, and those of daemons from before there were claims. */
  async survey(entry: Entry): Promise<{ claimed: readonly ClaimedPeriod[]; alive: readonly LivingRun[] }> {
    const prefix = claimPrefix(entry.identity)
    const claimed = (await this.#processes.claims()).filter(each => each.prefix === prefix)
    const found = await Promise.all(
      claimed.map(async claim => {
        const trace = await this.#processes.follow(entry, claimName(entry.identity, claim.nominal))
        return trace.kind === 'running' ? [this.#livingRun(entry, claim, trace.run)] : []
      }),
    )
    const alive: LivingRun[] = found.flat()
    for (const survivor of await this.#allSurvivors()) {
      const isKnown = alive.some(each => each.active.ExecutionID === survivor.executionId)
      if (isKnown || !isCredible(survivor, entry)) continue
      const active = activeFrom(survivor, this.#boot.id)
      const run = this.#processes.attach(entry, active)
      if (run !== undefined) alive.push({ active, run })
    }
    return { claimed, alive }
  }

  #livingRun(entry: Entry, { nominal, executionId = '' }: ClaimedPeriod, run: Run): LivingRun {
    const { chosen } = decide(entry, nominal, this.#hash)
    const active: ActiveState = {
      PeriodID: printInstant(nominal),
      PID: run.pid,
      StartedAt: printInstant(Math.floor(run.startedAt / 1_000)),
      ChosenTime: printInstant(chosen ?? nominal),
      ExecutionID: executionId,
      BootID: this.#boot.id,
      BootTime: 0,
      ProcessStart: run.processStart,
      Launcher: LAUNCHER,
      Claims: this.#processes.claimsId,
      ShimPID: run.shimPid,
    }
    return { active, run }
  }

  #allSurvivors(): Promise<readonly Survivor[]> {
    this.#survivors ??= this.#processes.survivors()
    return this.#survivors
  }
}

const runningOrUnknown = (run: Run | undefined): Trace =>
  run === undefined ? { kind: 'unknown' } : { kind: 'running', run }

/** Only its environment says that it belongs to the job, and the values must form a state that can be read again. */
function isCredible({ identity, periodId, chosenTime, mayBeOf }: Survivor, entry: Entry): boolean {
  if (identity !== entry.identity || mayBeOf?.(entry) === false) return false
  return parseInstant(periodId).ok && parseInstant(chosenTime).ok
}

const activeFrom = (survivor: Survivor, bootId: string): ActiveState => ({
  PeriodID: survivor.periodId,
  PID: survivor.pid,
  StartedAt: survivor.chosenTime,
  ChosenTime: survivor.chosenTime,
  ExecutionID: survivor.executionId,
  BootID: bootId,
  BootTime: 0,
  ProcessStart: survivor.processStart,
})
