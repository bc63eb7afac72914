import { printInstant } from '@kron/core'
import { applyRecord, readState, type State, type StateEvent, type StateRecord } from '@kron/host'
import { must, type Target } from '../target.ts'

const IDENTITY = 'fuzz'
const FIRST = 1_772_323_200
const KINDS = 'siaawffn'

/** Each character is an event: its number names the kind and the period. */
export const target: Target = {
  seeds: [
    '\u0000',
    ...KINDS.split('').map((_, kind) => String.fromCharCode(kind, kind + 8, kind + 16, 3, 4, 5, 6, 7)),
  ],
  tokens: Array.from({ length: 128 }, (_, code) => String.fromCharCode(code)),
  longest: 60,
  run(text) {
    let state: State | undefined
    const outcomes = new Map<string, string>()
    for (let i = 0; i < text.length; i++) {
      const record: StateRecord = { Identity: IDENTITY, Seq: i + 1, Event: eventOf(text.charCodeAt(i)) }
      const before = state
      const after: State = applyRecord(before, record, 5)
      must(applyRecord(after, record, 5) === after, 'a record counts once')
      if (before !== undefined) mustGrow(before, after)
      for (const { PeriodID, Outcome } of after.History) {
        must((outcomes.get(PeriodID) ?? Outcome) === Outcome, 'an outcome never changes')
        outcomes.set(PeriodID, Outcome)
      }
      state = after
    }
    if (state === undefined) return
    const read = readState(JSON.stringify(state), IDENTITY, FIRST)
    must(
      read.kind === 'state' && JSON.stringify(read.state) === JSON.stringify(state),
      'it is read as written',
    )
  },
}

function mustGrow(before: State, after: State): void {
  must(after.HandledThrough >= before.HandledThrough, 'the watermark never falls')
  const isHandled = (period: string): boolean =>
    period <= after.HandledThrough || after.HandledPeriods.includes(period)
  must(before.HandledPeriods.every(isHandled), 'what was handled stays handled')
  must(
    after.HandledPeriods.every(period => period > after.HandledThrough),
    'the set lies above the watermark',
  )
  must(after.History.length <= 5, 'history is bounded')
}

function eventOf(code: number): StateEvent {
  const period = printInstant(FIRST + ((code >> 3) % 16) * 60)
  const at = printInstant(FIRST + ((code >> 3) % 16) * 60 + 5)
  const executionId = `execution-${(code >> 3) % 16}`
  const through = printInstant(FIRST + (code % 5) * 60)
  const handled = { HandledThrough: through, HandledPeriods: [period].filter(each => each > through) }
  const execution = {
    PeriodID: period,
    PID: 0,
    StartedAt: '',
    ChosenTime: period,
    ExecutionID: executionId,
    BootID: 'boot',
    BootTime: 0,
    ProcessStart: 0,
  }
  switch (KINDS[code % KINDS.length]) {
    case 's':
      return { kind: 'seen', firstSeen: period, handled }
    case 'i':
      return { kind: 'intended', execution }
    case 'a':
      return code >> 7 === 0
        ? { kind: 'started', executionId, pid: 7, processStart: 8, startedAt: at, seedHash: 'x', handled }
        : { kind: 'adopted', execution: { ...execution, PID: 7, StartedAt: at } }
    case 'w':
      return { kind: 'withdrawn', executionId, at }
    case 'f':
      return { kind: 'finished', executionId, completedAt: at, exitCode: code & 1 }
    default: {
      const outcome = (['skipped', 'missed', 'unschedulable'] as const)[code % 3]!
      const periods = [{ outcome, periodId: period, chosenTime: period, reason: 'x', seedHash: 'y' }]
      return { kind: 'notExecuted', periods, at, handled }
    }
  }
}
