import {
  type Handled,
  IncompatibleStateError,
  type NominalRange,
  type Outcome,
  parseInstant,
  printInstant,
} from '@kron/core'
import type { HistoryUsage } from './run-usage.ts'

/** The persisted state of one job: the keys are those of STATE.md, all times RFC 3339 UTC. */
export interface State {
  readonly Version: '1'
  readonly Identity: string
  /** Counts the changes, so that a journal knows which of its records a state file already holds. */
  readonly Seq: number
  readonly FirstSeen: string
  readonly HandledThrough: string
  readonly HandledPeriods: readonly string[]
  /** Handled ranges above the watermark; they exist only after a clock that was ahead. */
  readonly HandledRanges?: readonly RangeRecord[] | undefined
  /** Ranges that the watermark passed without an outcome for each period; owed again if the clock was ahead. */
  readonly SweptRanges?: readonly RangeRecord[] | undefined
  /** After this time the windows and deadlines of all handled periods are over. Until then, the state of a removed job is kept. */
  readonly KeepUntil?: string
  readonly LastHandledPeriodID: string
  readonly LastOutcome: Outcome | ''
  readonly LastReason: string
  readonly LastChosenTime: string
  readonly LastNominalTime: string
  readonly LastRunTime: string
  readonly LastExitCode: number | null
  readonly SeedHash: string
  readonly ActiveExecution: ActiveState | null
  readonly ConcurrentExecutions: readonly ActiveState[]
  readonly History: readonly HistoryEntry[]
  /** Runs that people asked for, oldest first; absent without any. */
  readonly ManualRuns?: readonly ManualRun[]
}

export interface ActiveState {
  readonly PeriodID: string
  /** 0: the intent is durable, the process is not known to exist. */
  readonly PID: number
  readonly StartedAt: string
  readonly ChosenTime: string
  readonly ExecutionID: string
  readonly BootID: string
  /** The CLOCK_BOOTTIME of the chosen time, in ms. */
  readonly BootTime: number
  /** The kernel's start time of the process, in clock ticks: with the boot id it detects a reused PID. */
  readonly ProcessStart: number
  /** The launcher that made the intent; absent in states written before there were claims. */
  readonly Launcher?: string
  /** The id of the claims directory in which the period was to be claimed. */
  readonly Claims?: string
  /** The parent of the command, which outlives the daemon. */
  readonly ShimPID?: number
}

/** How a run ended. */
export interface RunEnding extends HistoryUsage {
  readonly CompletedAt: string
  readonly ExitCode: number | null
  readonly Reason?: string
  readonly Signal?: string
  readonly DurationMs?: number
}

export interface HistoryEntry extends RunEnding {
  readonly PeriodID: string
  readonly Outcome: Outcome
  readonly NominalTime: string
  readonly ChosenTime: string
  readonly StartedAt?: string
  /** Names the kept output of the run. */
  readonly ExecutionID?: string
  /** Present in the made-up past of a demonstration: nothing ran. Every reader says so, and no figure counts it. */
  readonly Example?: true
  /** A person reset the job to a time before this period: the entry no longer marks the period as handled. */
  readonly Forgotten?: true
}

/**
 * A run that a person asked for. It is no period and handles none: `PeriodID` is empty, and `ChosenTime` is the second
 * of the request. It runs while `CompletedAt` is absent.
 */
export interface ManualRun extends ActiveState, Partial<RunEnding> {
  /** Names the claim. */
  readonly RequestID: string
  /** The name of the user who asked. */
  readonly User: string
}

/** The nominal times after `After`, up to and including `Through`. */
export interface RangeRecord {
  readonly After: string
  readonly Through: string
}

/** The persisted form of the watermark. */
export type HandledRecord = Pick<State, 'HandledThrough' | 'HandledPeriods' | 'HandledRanges' | 'SweptRanges'>

export const activeOf = (state: State): readonly ActiveState[] =>
  state.ActiveExecution === null
    ? state.ConcurrentExecutions
    : [state.ActiveExecution, ...state.ConcurrentExecutions]

/** The manual runs that have not ended. */
export const activeManualOf = ({ ManualRuns = [] }: State): readonly ManualRun[] =>
  ManualRuns.filter(each => each.CompletedAt === undefined)

export const handledRecordOf = (handled: Handled): HandledRecord => ({
  HandledThrough: printInstant(handled.through),
  HandledPeriods: handled.above.map(printInstant),
  ...(handled.ranges && { HandledRanges: handled.ranges.map(rangeRecordOf) }),
  ...(handled.swept && { SweptRanges: handled.swept.map(rangeRecordOf) }),
})

const rangeRecordOf = ({ after, through }: NominalRange): RangeRecord => ({
  After: printInstant(after),
  Through: printInstant(through),
})

/** Besides the watermark, history entries and started runs mark a period as handled. An intent does not: its command may never have run. */
const tracesOf = (state: State): readonly string[] => [
  ...(state.LastHandledPeriodID === '' ? [] : [state.LastHandledPeriodID]),
  ...state.History.filter(each => each.Forgotten !== true).map(each => each.PeriodID),
  ...activeOf(state)
    .filter(each => each.StartedAt !== '')
    .map(each => each.PeriodID),
]

export function handledOf(state: State): Handled {
  const read = (text: string): number => {
    const instant = parseInstant(text)
    if (instant.ok) return instant.value
    const { Identity: identity } = state
    // A guessed watermark could run a period twice.
    throw new IncompatibleStateError(`the state of ${identity} holds a bad time: ${text}`, {
      component: 'core',
      operation: 'read state',
      identity,
    })
  }
  const rangeOf = ({ After, Through }: RangeRecord): NominalRange => ({
    after: read(After),
    through: read(Through),
  })
  const through = read(state.HandledThrough)
  const above = new Set([...state.HandledPeriods, ...tracesOf(state)].map(read))
  return {
    through,
    above: [...above].filter(nominal => nominal > through).sort((a, b) => a - b),
    firstSeen: read(state.FirstSeen),
    ...(state.HandledRanges && { ranges: state.HandledRanges.map(rangeOf) }),
    ...(state.SweptRanges && { swept: state.SweptRanges.map(rangeOf) }),
  }
}
