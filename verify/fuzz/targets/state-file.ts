import { IncompatibleStateError } from '@kron/core'
import { activeOf, advance, handledOf, readState, type State, shownOutcomesOf } from '@kron/host'
import { Ledger } from '../../../packages/krond/src/http/ledger.ts'
import { must, type Target } from '../target.ts'

const IDENTITY = '/etc/krond.d/a.kron:a'
const TIME = '2026-03-01T02:00:00Z'
const NOW = 1_772_330_400

const started = advance(undefined, IDENTITY, {
  kind: 'seen',
  firstSeen: TIME,
  handled: { HandledThrough: TIME, HandledPeriods: ['2026-03-01T03:00:00Z'] },
})
const execution = { PeriodID: '2026-03-01T04:00:00Z', PID: 7, StartedAt: TIME, ChosenTime: TIME }
const running = advance(started, IDENTITY, {
  kind: 'adopted',
  execution: { ...execution, ExecutionID: 'x', BootID: 'b', BootTime: 1, ProcessStart: 2 },
})
const finished = advance(running, IDENTITY, {
  kind: 'finished',
  executionId: 'x',
  completedAt: TIME,
  exitCode: 1,
  signal: 'SIGKILL',
})

export const target: Target = {
  seeds: [started, running, finished].map(state => JSON.stringify(state)),
  tokens: [
    ...Object.keys(finished).map(key => `"${key}":`),
    ...'null true [] {} [null] [{}] [1] "" "1" "2" 0 -1 1e400 , : executed skipped'.split(' '),
    JSON.stringify(TIME),
  ],
  longest: 1_600,
  run(text) {
    const state = stateIn(text)
    if (state === undefined) return
    const again = stateIn(JSON.stringify(state))
    must(JSON.stringify(again) === JSON.stringify(state), 'a state that is written is read as it was')
    shownOutcomesOf(state)
    new Ledger(() => NOW * 1_000).loaded(state)
    activeOf(state)
    try {
      handledOf(state)
    } catch (error) {
      if (!(error instanceof IncompatibleStateError)) throw error
    }
  },
}

function stateIn(text: string): State | undefined {
  try {
    const document = readState(text, IDENTITY, NOW)
    return document.kind === 'state' ? document.state : undefined
  } catch (error) {
    if (error instanceof IncompatibleStateError) return undefined
    throw error
  }
}
