import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseCron, UTC } from '@kron/core'
import { CronOccurrences } from '../cron/occurrences.ts'
import { dueAt, judge, type TaskTimes } from './judge.ts'

const NOON = Date.parse('2026-06-10T12:00:00Z')
const MINUTE = 60_000

function occurrencesOf(expression: string): CronOccurrences {
  const cron = parseCron(expression, 'posix')
  assert.ok(cron.ok)
  return new CronOccurrences(cron.value, UTC)
}

const hourly = occurrencesOf('0 * * * *')
const task = (times: Partial<TaskTimes>): TaskTimes => ({
  firstSeenAt: NOON - 90 * MINUTE,
  firstMinuteWaived: false,
  lastAttemptAt: undefined,
  pendingRetryUntil: undefined,
  orphaned: false,
  requested: false,
  ...times,
})

test('a task waits until its first occurrence after it was first seen', () => {
  const fresh = task({ firstSeenAt: NOON + 1 * MINUTE })
  assert.deepEqual(judge(fresh, hourly, NOON + 59 * MINUTE), { kind: 'wait', until: NOON + 60 * MINUTE })
  assert.deepEqual(judge(fresh, hourly, NOON + 60 * MINUTE), { kind: 'start', cause: 'occurrence' })
})

test('a task first seen inside a matching minute is due at once', () => {
  const fresh = task({ firstSeenAt: NOON + 59_999 })
  assert.deepEqual(judge(fresh, hourly, NOON + 59_999), { kind: 'start', cause: 'occurrence' })
})

test('a task whose first minute is waived owes the next minute, but not the first', () => {
  const everyMinute = occurrencesOf('* * * * *')
  const waived = task({ firstSeenAt: NOON + 59_999, firstMinuteWaived: true })
  assert.deepEqual(judge(waived, everyMinute, NOON + 59_999), { kind: 'wait', until: NOON + MINUTE })
  assert.deepEqual(judge(waived, everyMinute, NOON + MINUTE), { kind: 'start', cause: 'occurrence' })
})

test('an occurrence at the very instant of the last attempt is served', () => {
  const served = task({ lastAttemptAt: NOON })
  assert.deepEqual(judge(served, hourly, NOON + MINUTE), { kind: 'wait', until: NOON + 60 * MINUTE })
})

test('a pending retry waits, starts when its time has come, and is preempted by an occurrence', () => {
  const retry = NOON + 10 * MINUTE
  const failed = task({ lastAttemptAt: NOON, pendingRetryUntil: retry })
  assert.deepEqual(judge(failed, hourly, retry - 1), { kind: 'wait', until: retry })
  assert.deepEqual(judge(failed, hourly, retry), { kind: 'start', cause: 'retry' })
  assert.deepEqual(judge(failed, hourly, NOON + 60 * MINUTE), { kind: 'start', cause: 'preemption' })
  const later = task({ lastAttemptAt: NOON, pendingRetryUntil: NOON + 90 * MINUTE })
  assert.deepEqual(judge(later, hourly, NOON + 60 * MINUTE), { kind: 'start', cause: 'preemption' })
})

test('an orphan starts whatever the clock shows', () => {
  const orphan = task({ lastAttemptAt: NOON + 60 * MINUTE, orphaned: true })
  assert.deepEqual(judge(orphan, hourly, 0), { kind: 'start', cause: 'orphan' })
  assert.equal(dueAt(orphan, hourly, 0), Number.NEGATIVE_INFINITY)
})

test('an expression without further occurrences waits for ever', () => {
  const last = task({ firstSeenAt: Date.parse('2300-01-01T00:00:00Z') })
  assert.equal(dueAt(last, hourly, 0), Number.POSITIVE_INFINITY)
})
