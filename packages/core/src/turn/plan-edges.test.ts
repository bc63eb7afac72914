import assert from 'node:assert/strict'
import { test } from 'node:test'
import { instant, jobOf } from '@kron/testkit/reading'
import { printInstant } from '../time/instant.ts'
import type { Handled } from './handled.ts'
import { catchUp, lastClosed } from './plan.ts'

const NOON = instant('2026-03-28T12:00:00Z')
const MINUTE = 60

const handledThrough = (through: number, firstSeen = through): Handled => ({ through, above: [], firstSeen })

/** The result of catching up at `now`: the periods that are missed, and the periods that stay planned. */
function caughtUp(schedule: string, handled: Handled, now: number) {
  const { missed, rest } = catchUp(jobOf(schedule), handled, now)
  return {
    missed: missed.map(({ decision, reason }) => `${printInstant(decision.nominal)} ${reason}`),
    rest: rest.map(({ nominal }) => printInstant(nominal)),
  }
}

test('in the last second of its deadline a late period may still start, and no longer in the next', () => {
  const schedule = '0 12 * * * @policy(deadline=1m)'
  const handled = handledThrough(NOON - MINUTE)
  assert.deepEqual(caughtUp(schedule, handled, NOON + MINUTE), {
    missed: [],
    rest: ['2026-03-28T12:00:00Z', '2026-03-29T12:00:00Z'],
  })
  assert.deepEqual(caughtUp(schedule, handled, NOON + MINUTE + 1), {
    missed: ['2026-03-28T12:00:00Z deadline'],
    rest: ['2026-03-29T12:00:00Z'],
  })
})

test('of two late periods one in the last second of its deadline is superseded, not past it', () => {
  const { missed } = caughtUp('* * * * * @policy(deadline=2m)', handledThrough(NOON), NOON + 3 * MINUTE)
  assert.deepEqual(missed, ['2026-03-28T12:01:00Z superseded'])
})

test('a period chosen this very second is not late, and supersedes none that is', () => {
  const { missed, rest } = caughtUp('* * * * * @policy(deadline=5m)', handledThrough(NOON), NOON + 2 * MINUTE)
  assert.deepEqual(missed, [])
  assert.deepEqual(rest.slice(0, 2), ['2026-03-28T12:01:00Z', '2026-03-28T12:02:00Z'])
})

test('a period that is handled is not missed when its deadline passes', () => {
  const handled = handledThrough(NOON, NOON - 60 * MINUTE)
  assert.deepEqual(caughtUp('0 * * * *', handled, NOON + 10 * MINUTE), {
    missed: [],
    rest: ['2026-03-28T13:00:00Z'],
  })
})

test('a period chosen in the very second in which its job was first seen can be missed', () => {
  const job = jobOf('0 12 * * *')
  const closed = (firstSeen: number) =>
    lastClosed(job, handledThrough(NOON - 1, firstSeen), NOON + MINUTE)?.nominal
  assert.equal(closed(NOON), NOON)
  assert.equal(closed(NOON + 1), undefined)
})
