import assert from 'node:assert/strict'
import { test } from 'node:test'
import { advance, type HistoryEntry, parseJobFile, type State, seen } from '@kron/host'
import { Account, type Violation } from './account.ts'

const FILE = '/jobs.kron'
const entry = (line: string) => parseJobFile(line, FILE).entries[0]!
const MINUTELY = entry('* * * * * name=a command=/bin/true')
const A = MINUTELY.identity
const START = 1_772_323_200 // 2026-03-01T00:00:00Z
const period = (minute: number): string => `2026-03-01T00:${String(minute).padStart(2, '0')}:00Z`

const entryOf = (minute: number, more: Partial<HistoryEntry> = {}): HistoryEntry => ({
  PeriodID: period(minute),
  Outcome: 'executed',
  NominalTime: period(minute),
  ChosenTime: period(minute),
  CompletedAt: period(minute),
  StartedAt: period(minute),
  ExitCode: 0,
  ...more,
})

const missed = (minute: number, at: number): HistoryEntry =>
  entryOf(minute, { Outcome: 'missed', Reason: 'deadline', CompletedAt: period(at), ExitCode: null })

/** A state with this history, which was changed that often. */
function stateOf(history: readonly HistoryEntry[], more: Partial<State> = {}): State {
  const fresh = advance(undefined, A, seen({ through: START - 1, above: [], firstSeen: START }))
  return { ...fresh, Seq: history.length + 1, History: history, ...more }
}

function violations(act: (account: Account) => void): Violation['wrong'][] {
  const account = new Account(100)
  act(account)
  return account.violations.map(each => each.wrong)
}

const line = (event: string, minute: number) => ({
  time: '',
  event,
  identity: A,
  period_id: period(minute),
})

test('books that agree are in order', () => {
  const found = violations(account => {
    account.ran(`${A} ${period(0)} x`)
    account.logged(line('started', 0))
    account.state(A, stateOf([entryOf(0)]))
    account.ran(`${A} ${period(1)} y`)
    account.state(A, stateOf([entryOf(0), entryOf(1)]))
    account.gaps(MINUTELY)
  })
  assert.deepEqual(found, [])
})

test('a child that reports twice, and a start that is logged twice, are duplicates', () => {
  const ranTwice = violations(account => {
    account.ran(`${A} ${period(0)} x`)
    account.ran(`${A} ${period(0)} y`)
  })
  const startedTwice = violations(account => {
    account.logged(line('started', 0))
    account.logged(line('started', 0))
  })
  assert.deepEqual([ranTwice, startedTwice], [['duplicates'], ['duplicates']])
})

test('a run whose shim was killed may have an unknown result, but no second run', () => {
  const unknown = entryOf(0, { Reason: 'unknown', ExitCode: null })
  const found = violations(account => {
    account.ran(`${A} ${period(0)} x`)
    account.state(A, stateOf([unknown]))
    account.state(A, stateOf([unknown, entryOf(1)]))
    account.gaps(MINUTELY)
  })
  const again = violations(account => {
    account.state(A, stateOf([unknown]))
    account.ran(`${A} ${period(0)} x`)
    account.ran(`${A} ${period(0)} y`)
  })
  assert.deepEqual([found, again], [[], ['duplicates']])
})

test('an outcome that is another one later has changed, in the smallest detail', () => {
  for (const changed of [{ Outcome: 'skipped' }, { ExitCode: 1 }, { CompletedAt: period(9) }] as const) {
    const found = violations(account => {
      account.state(A, stateOf([entryOf(0)]))
      account.state(A, stateOf([entryOf(0, changed)]))
    })
    assert.deepEqual(found, ['changedOutcomes'], JSON.stringify(changed))
  }
})

test('a period that ran may not be missed, and one that was logged as missed may not be executed', () => {
  const ran = violations(account => {
    account.ran(`${A} ${period(0)} x`)
    account.state(A, stateOf([missed(0, 5)]))
  })
  const logged = violations(account => {
    account.logged(line('missed_deadline', 0))
    account.state(A, stateOf([entryOf(0)]))
  })
  assert.deepEqual([ran, logged], [['changedOutcomes'], ['changedOutcomes']])
})

test('what ran or was logged without being in the state is lost', () => {
  const ran = violations(account => {
    account.ran(`${A} ${period(1)} x`)
    account.state(A, stateOf([entryOf(0)]))
  })
  const logged = violations(account => {
    account.logged(line('skipped_concurrency', 1))
    account.state(A, stateOf([entryOf(0)]))
  })
  assert.deepEqual([ran, logged], [['lost'], ['lost']])
})

test('a state that goes back, forgets an outcome or is gone is lost', () => {
  const before = stateOf([entryOf(0), entryOf(1)])
  const after = [stateOf([entryOf(0)]), stateOf([entryOf(0)], { Seq: 9 }), undefined]
  for (const state of after) {
    const found = violations(account => {
      account.state(A, before)
      account.state(A, state)
    })
    assert.ok(found.length > 0 && found.every(each => each === 'lost'), String(found))
  }
})

test('a period between others without an outcome is lost, unless the next thing decided names a later one as missed', () => {
  const silent = violations(account => {
    account.state(A, stateOf([entryOf(0), entryOf(2), entryOf(5)]))
    account.gaps(MINUTELY)
  })
  const named = violations(account => {
    account.state(A, stateOf([entryOf(0), missed(4, 5), entryOf(5), entryOf(6)]))
    account.gaps(MINUTELY)
  })
  assert.deepEqual(silent, ['lost', 'lost', 'lost'])
  assert.deepEqual(named, [])
})

test('a state file that had to be set aside is unreadable', () => {
  assert.deepEqual(
    violations(account => account.logged({ ...line('state_corrupt', 0), moved_to: 'aside' })),
    ['unreadable'],
  )
})
