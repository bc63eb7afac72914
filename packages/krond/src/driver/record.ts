import {
  type Decision,
  endOffset,
  type Handled,
  LATEST,
  lastStart,
  type Outcome,
  parseInstant,
  printInstant,
  type Schedule,
  type UnseenPeriods,
} from '@kron/core'
import { type ActiveState, handledRecordOf, type ManualRun, type StateEvent } from '@kron/host'
import type { Attempt } from './attempt.ts'
import { durationOf, type Ending, type Execution } from './execution.ts'
import { isNear } from './lead.ts'
import { type Moment, secondOf, timeOf } from './moment.ts'
import type { DriverSettings } from './state.ts'

/** The protocol of the launcher that made an intent. Only intents of this launcher are judged by claims. */
export const LAUNCHER = 'shim/1'

/** A period that ended without a run. */
export interface PeriodOutcome {
  readonly decision: Decision
  readonly outcome: Exclude<Outcome, 'executed'>
  readonly reason: string
  /** Earlier periods that were missed during the same downtime. They get no outcome of their own. */
  readonly unseen?: UnseenPeriods
}

export const printSecond = (epochMs: number): string => printInstant(Math.floor(epochMs / 1_000))

/** The second for which a run was chosen; a manual run is chosen when it is requested. */
export const chosenOf = ({ cause }: Attempt): number =>
  cause.kind === 'period' ? cause.decision!.chosen! : cause.at

/** The intent of a start, before anything is executed. */
export function intentOf(
  attempt: Attempt,
  executionId: string,
  now: Moment,
  { bootId, claimsId }: DriverSettings,
): StateEvent {
  const { cause } = attempt
  const chosen = chosenOf(attempt)
  const lateMs = now.wallMs - chosen * 1_000
  const execution: ActiveState = {
    PeriodID: cause.kind === 'period' ? printInstant(cause.nominal) : '',
    PID: 0,
    StartedAt: '',
    ChosenTime: printInstant(chosen),
    ExecutionID: executionId,
    BootID: bootId,
    // A prepared start runs at its chosen time. Any other runs now, even if the clock was set back before its chosen time.
    BootTime: Math.floor(now.bootMs - (isNear(chosen, timeOf(now)) ? lateMs : Math.max(0, lateMs))),
    ProcessStart: 0,
    Launcher: LAUNCHER,
    Claims: claimsId,
  }
  if (cause.kind === 'period') return { kind: 'intended', execution }
  const { requestId, user } = cause.request
  const run: ManualRun = { ...execution, RequestID: requestId, User: user }
  return { kind: 'requested', run }
}

export const startOf = (execution: Execution, handled: Handled): StateEvent => ({
  kind: 'started',
  executionId: execution.id,
  pid: execution.pid,
  processStart: execution.processStart,
  shimPid: execution.shimPid,
  startedAt: printSecond(execution.startedAt),
  seedHash: execution.seedHash,
  handled: handledRecordOf(handled),
  ...(execution.periodId === ''
    ? {}
    : {
        keepUntil: keepUntil(
          execution.entry.schedule,
          secondsOf(execution.periodId),
          secondsOf(execution.chosenTime),
        ),
      }),
})

/** When the window and the deadline of a period are over, so that it could not be run again. */
const keepUntil = ({ window, policy }: Schedule, nominal: number, chosen: number): string =>
  printInstant(Math.min(lastStart(policy, Math.max(chosen, nominal + endOffset(window))), LATEST))

function secondsOf(time: string): number {
  const instant = parseInstant(time)
  return instant.ok ? instant.value : 0
}

export const withdrawalOf = (executionId: string, now: Moment): StateEvent => ({
  kind: 'withdrawn',
  executionId,
  at: printInstant(secondOf(now)),
})

export const endOf = (execution: Execution, ending: Ending, endedAt: number): StateEvent => ({
  kind: 'finished',
  executionId: execution.id,
  completedAt: printSecond(endedAt),
  exitCode: ending.exitCode,
  ...(ending.signal === null ? {} : { signal: ending.signal }),
  ...(ending.reason === undefined ? {} : { reason: ending.reason }),
  ...(ending.usage === undefined
    ? {}
    : { durationMs: durationOf(execution, ending, endedAt), usage: ending.usage }),
})

export const reopeningOf = (
  handled: Handled,
  second: number,
  forgotten: readonly string[] = [],
): StateEvent => ({
  kind: 'reopened',
  at: printInstant(second),
  firstSeen: printInstant(handled.firstSeen),
  handled: handledRecordOf(handled),
  ...(forgotten.length > 0 && { forgotten }),
})

export const outcomesOf = (
  periods: readonly PeriodOutcome[],
  second: number,
  handled: Handled,
): StateEvent => ({
  kind: 'notExecuted',
  periods: periods.map(({ decision, outcome, reason }) => ({
    outcome,
    reason,
    periodId: printInstant(decision.nominal),
    chosenTime: decision.chosen === null ? '' : printInstant(decision.chosen),
    seedHash: decision.seedHash,
  })),
  at: printInstant(second),
  handled: handledRecordOf(handled),
  ...(periods.length > 0 && { keepUntil: periods.map(endOfPeriod).sort().at(-1)! }),
})

const endOfPeriod = ({ decision }: PeriodOutcome): string =>
  keepUntil(decision.job.schedule, decision.nominal, decision.chosen ?? decision.nominal)
