import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decide, type TurnResult } from '@kron/core'
import { instant, jobOf } from '@kron/testkit/reading'
import type { Moment } from './moment.ts'
import { type Step, stepOf } from './step.ts'

const NOON = instant('2026-03-28T12:00:00Z')
const decision = decide(jobOf('* * * * *'), NOON)

const moment = (seconds: number): Moment => ({ wallMs: seconds * 1_000, bootMs: 0, offsetMs: 0 })

const answer = (rest: Partial<TurnResult>): TurnResult => ({
  outcomes: [],
  handled: { through: NOON - 1, above: [], firstSeen: NOON - 60 },
  ...rest,
})

/** The step after an answer about `time`, when the clock says `clock`. */
const step = (rest: Partial<TurnResult>, time: number, clock = time): Step =>
  stepOf(answer(rest), { time, now: moment(clock), isAhead: false }, 0)

/** The step half a second ahead of noon. */
const stepAhead = (rest: Partial<TurnResult>, starts: number): Step =>
  stepOf(answer(rest), { time: NOON, now: moment(NOON - 0.5), isAhead: true }, starts)

test('a period that starts, replaces or queues is the step, whenever the job wakes next', () => {
  for (const kind of ['start', 'replace', 'queue'] as const)
    assert.deepEqual(step({ [kind]: decision, wakeAt: NOON + 1 }, NOON + 0.5), { kind, decision })
})

test('a job whose next second is far rests until half a second before it', () => {
  assert.deepEqual(step({ wakeAt: NOON + 1 }, NOON), { kind: 'rest', until: NOON + 0.5 })
})

test('a job that never wakes by itself rests until something happens to it', () => {
  assert.deepEqual(step({}, NOON), { kind: 'rest', until: undefined })
})

test('a second that is near is judged ahead, unless it came while other jobs were judged', () => {
  const next = { kind: 'judgeNext', second: NOON + 1 }
  assert.deepEqual(step({ wakeAt: NOON + 1 }, NOON + 0.5, NOON + 0.6), { ...next, isAhead: true })
  assert.deepEqual(step({ wakeAt: NOON + 1 }, NOON + 0.5, NOON + 1), { ...next, isAhead: false })
})

test('ahead of its second a plain start is prepared, and then the job rests', () => {
  assert.deepEqual(stepAhead({ start: decision }, 0), { kind: 'start', decision })
  assert.deepEqual(stepAhead({ wakeAt: NOON + 60 }, 1), { kind: 'rest', until: NOON + 59.5 })
})

test('ahead of its second it is too early for everything but one start that is due in it', () => {
  const skipped = [{ decision, outcome: 'skipped', reason: 'concurrency' }] as const
  const late = decide(jobOf('* * * * *'), NOON - 60)
  for (const rest of [{}, { replace: decision }, { queue: decision }, { start: late }])
    assert.deepEqual(stepAhead(rest, 0), { kind: 'tooEarly' })
  assert.deepEqual(stepAhead({ start: decision, outcomes: skipped }, 0), { kind: 'tooEarly' })
  assert.deepEqual(stepAhead({ start: decision }, 1), { kind: 'tooEarly' })
})
