import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  FINAL_KINDS,
  OUTCOME_KINDS,
  OUTCOME_STYLES,
  type OutcomeFacts,
  outcomeKindOf,
  outcomeText,
  REASON_CODES,
} from './outcome-kind.ts'

const ran = (facts: Partial<OutcomeFacts>): OutcomeFacts => ({
  outcome: 'executed',
  reason: '',
  exitCode: null,
  signal: null,
  ...facts,
})

test('an execution is told apart by how it ended', () => {
  assert.equal(outcomeKindOf(ran({ exitCode: 0 })), 'succeeded')
  assert.equal(outcomeKindOf(ran({ exitCode: 3 })), 'failed')
  assert.equal(outcomeKindOf(ran({ signal: 'SIGSEGV' })), 'failed')
  assert.equal(outcomeKindOf(ran({ signal: 'SIGTERM', reason: 'timeout' })), 'timed_out')
  assert.equal(outcomeKindOf(ran({ exitCode: 0, reason: 'timeout' })), 'timed_out')
  assert.equal(outcomeKindOf(ran({ signal: 'SIGTERM', reason: 'shutdown' })), 'failed')
})

test('a replaced run is neutral, however it took the signal', () => {
  for (const facts of [
    ran({ signal: 'SIGTERM', reason: 'replaced' }),
    ran({ exitCode: 1, reason: 'replaced' }),
  ])
    assert.equal(outcomeKindOf(facts), 'replaced')
  assert.equal(OUTCOME_STYLES.replaced.isFailure, false)
  assert.equal(OUTCOME_STYLES.replaced.tone, 'neutral')
})

test('a run whose end nobody saw is unknown and never looks good', () => {
  assert.equal(outcomeKindOf(ran({})), 'unknown')
  assert.equal(outcomeKindOf(ran({ reason: 'unknown' })), 'unknown')
  assert.notEqual(OUTCOME_STYLES.unknown.tone, 'good')
})

test('a period that did not run is its own kind', () => {
  for (const outcome of ['skipped', 'missed', 'unschedulable'] as const)
    assert.equal(outcomeKindOf(ran({ outcome, reason: 'deadline' })), outcome)
})

test('only failed and timed-out runs count as failures', () => {
  const failures = OUTCOME_KINDS.filter(kind => OUTCOME_STYLES[kind].isFailure)
  assert.deepEqual(failures, ['failed', 'timed_out'])
})

test('every kind but running is final', () => {
  assert.deepEqual(
    OUTCOME_KINDS.filter(kind => !FINAL_KINDS.includes(kind)),
    ['running'],
  )
  assert.ok(FINAL_KINDS.every(kind => OUTCOME_KINDS.includes(kind)))
})

test('every kind has a word, an icon and a colour of its own', () => {
  for (const key of ['word', 'icon', 'colour'] as const)
    assert.equal(
      new Set(OUTCOME_KINDS.map(kind => OUTCOME_STYLES[kind][key])).size,
      OUTCOME_KINDS.length,
      key,
    )
})

test('the text says who ended a run and why, or why nothing ran', () => {
  assert.equal(outcomeText(ran({ exitCode: 3 })), 'exit code 3')
  assert.equal(
    outcomeText(ran({ signal: 'SIGTERM', reason: 'timeout' })),
    'ended by SIGTERM: krond ended it: it ran longer than its timeout',
  )
  assert.equal(
    outcomeText(ran({ outcome: 'missed', reason: 'queue' })),
    'it waited until its deadline had passed: too many runs, or no room on the disk',
  )
  assert.equal(outcomeText(ran({ outcome: 'missed', reason: 'a reason of later' })), 'a reason of later')
  assert.equal(outcomeText(ran({ outcome: 'skipped' })), 'skipped')
})

test('every reason with words of its own is a code', () => {
  const ended = ['timeout', 'replaced', 'shutdown', 'requested', 'unrecorded', 'unknown']
  const missed = ['deadline', 'not_started', 'superseded', 'replace', 'queue', 'state_corrupt']
  assert.deepEqual(REASON_CODES, [...ended, 'concurrency', ...missed, 'constraints'])
})
