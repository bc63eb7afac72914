import assert from 'node:assert/strict'
import { test } from 'node:test'
import { instant, scheduleOf } from '@kron/testkit/reading'
import fc from 'fast-check'
import { decide } from '../decision/decision.ts'
import type { Schedule } from '../schedule/schedule.ts'
import {
  closedThrough,
  firstHandled,
  type Handled,
  isHandled,
  markHandled,
  nextUnhandled,
} from './handled.ts'
import { plan } from './plan.ts'
import { MOST_SWEPT, reopenSwept } from './swept.ts'

const HOURLY = scheduleOf('0 * * * *')
const NOW = instant('2026-03-01T00:30:00Z')
const YEAR = 365 * 86_400

const reopened = (handled: Handled, schedule: Schedule, now: number): Handled =>
  reopenSwept(handled, schedule, now, nominal => decide({ identity: 'a', schedule }, nominal).chosen)

/** A job that ran its last period at 00:00, then sees the clock a year ahead, where one period is recorded as missed. */
function aheadByAYear(): Handled {
  const before = markHandled(firstHandled(HOURLY, NOW - 86_400), [NOW - 1_800], HOURLY, NOW - 1_800)
  const wrong = NOW + YEAR
  return markHandled(before, [wrong - 1_800], HOURLY, closedThrough(HOURLY, wrong))
}

test('the watermark notes the periods that it passes without an outcome, and only those', () => {
  const handled = aheadByAYear()
  assert.equal(handled.through, closedThrough(HOURLY, NOW + YEAR))
  const swept = handled.swept!.at(-1)!
  assert.deepEqual(swept, { after: NOW + 1_800 - 1, through: NOW + YEAR - 1_800 - 1 })
  // Nothing is noted where no period lies in between.
  const usual = markHandled(handled, [handled.through + 1_800 + 1], HOURLY, handled.through + 2_000)
  assert.deepEqual(usual.swept, handled.swept)
})

test('after the clock is right again the next period is owed, and the recorded ones stay handled', () => {
  const again = reopened(aheadByAYear(), HOURLY, NOW)
  assert.equal(nextUnhandled(again, HOURLY, NOW), NOW + 1_800)
  assert.ok(isHandled(again, NOW - 1_800))
  assert.ok(isHandled(again, NOW + YEAR - 1_800), 'recorded as missed while the clock was wrong')
  assert.equal(plan({ identity: 'a', schedule: HOURLY }, again, NOW)[0]?.nominal, NOW + 1_800)
  assert.equal(reopened(again, HOURLY, NOW), again)
  // An hour that is handled one by one moves the watermark, over the handled range too.
  let handled = again
  for (let nominal = NOW + 1_800; nominal < NOW + YEAR; nominal += 3_600)
    handled = markHandled(handled, [nominal], HOURLY)
  assert.equal(handled.ranges, undefined)
  assert.ok(handled.through >= NOW + YEAR - 1_800)
})

test('a period whose chosen second is yet to come is owed again, one whose second has passed is not', () => {
  const schedule = scheduleOf('*/5 * * * * @win(after,2h)')
  const second = NOW + 86_400
  const before = markHandled(firstHandled(schedule, NOW), [], schedule, closedThrough(schedule, second))
  const wrong = markHandled(before, [], schedule, closedThrough(schedule, second + YEAR))
  const again = reopened(wrong, schedule, second)
  const chosenOf = (nominal: number): number => decide({ identity: 'a', schedule }, nominal).chosen!
  const kinds = new Set<boolean>()
  for (let nominal = second - 7_200 + 300; nominal <= second; nominal += 300) {
    const isYetToCome = chosenOf(nominal) > second
    assert.equal(isHandled(again, nominal), !isYetToCome, String(nominal))
    kinds.add(isYetToCome)
  }
  assert.equal(kinds.size, 2)
  assert.equal(reopened(again, schedule, second), again)
  assert.ok(isHandled(again, second - 7_200 - 300))
})

test('a clock that is right opens nothing', () => {
  const handled = aheadByAYear()
  assert.equal(reopened(handled, HOURLY, NOW + YEAR), handled)
})

test('a job that was first seen by a clock that was ahead is first seen now', () => {
  const handled = firstHandled(HOURLY, NOW + YEAR)
  const again = reopened(handled, HOURLY, NOW)
  assert.equal(again.firstSeen, NOW)
  assert.equal(plan({ identity: 'a', schedule: HOURLY }, again, NOW)[0]?.nominal, NOW + 1_800)
})

test('a window that became shorter opens no recorded period when the clock is set back before the first sight', () => {
  const long = scheduleOf('0 0 * * * @win(after,10h)')
  const short = scheduleOf('0 0 * * * @win(after,10m)')
  const midnight = NOW - 1_800
  const ran = markHandled(firstHandled(long, NOW), [midnight], long, closedThrough(long, NOW))
  const again = reopened(ran, short, NOW - 18 * 3_600)
  assert.ok(isHandled(again, midnight))
  assert.equal(nextUnhandled(again, short, NOW - 18 * 3_600), midnight + 86_400)
})

test('at most 100 ranges are kept, the oldest are dropped and stay handled', () => {
  let handled = firstHandled(HOURLY, NOW)
  for (let day = 1; day <= MOST_SWEPT + 20; day++) {
    const second = NOW + day * 86_400
    handled = markHandled(handled, [second - 1_800], HOURLY, closedThrough(HOURLY, second))
  }
  assert.equal(handled.swept!.length, MOST_SWEPT)
  const again = reopened(handled, HOURLY, NOW)
  assert.ok(isHandled(again, NOW + 1_800))
  assert.equal(nextUnhandled(again, HOURLY, NOW), handled.swept![0]!.after + 1)
})

/** The swept ranges are ascending and apart. */
function assertApart({ swept = [] }: Handled): void {
  for (const [i, range] of swept.entries())
    assert.ok(range.after >= (swept[i - 1]?.through ?? 0), JSON.stringify(swept))
}

test('the range from before the first sight holds no period that a shorter window leaves unhandled', () => {
  const first = firstHandled(scheduleOf('0 * * * * @win(after,10h)'), NOW)
  const shorter = scheduleOf('0 * * * * @win(after,9h)')
  const ran = markHandled(first, [NOW - 1_800], shorter)
  assert.deepEqual(ran.swept, [{ after: 0, through: first.through }])
  assertApart(markHandled(ran, [], shorter, NOW - 3_600))
})

test('whatever clocks do, no recorded period is ever owed again', () => {
  const move = fc.record({
    by: fc.integer({ min: -400, max: 400 }),
    records: fc.nat(3),
    reopens: fc.boolean(),
    /** The modifiers from here on: a reload may change them, not the periods. */
    modifiers: fc.constantFrom(
      '',
      '@win(around,3h)',
      '@win(after,9h) @policy(deadline=2h)',
      '@win(after,10m)',
    ),
  })
  fc.assert(
    fc.property(
      fc.constantFrom('0 * * * *', '*/7 * * * *', '0 */5 * * *'),
      fc.array(move, { maxLength: 40 }),
      (cron, moves) => {
        const recorded = new Set<number>()
        let handled = firstHandled(scheduleOf(`${cron} ${moves[0]?.modifiers ?? ''}`), NOW)
        let now = NOW
        for (const { by, records, reopens, modifiers } of moves) {
          const schedule = scheduleOf(`${cron} ${modifiers}`)
          now += by * 600
          if (reopens) handled = reopened(handled, schedule, now)
          const done = plan({ identity: 'a', schedule }, handled, now)
            .slice(0, records)
            .map(each => each.nominal)
          for (const nominal of done) {
            assert.ok(!recorded.has(nominal), `period ${nominal} is owed though it was recorded`)
            recorded.add(nominal)
          }
          handled = markHandled(handled, done, schedule, closedThrough(schedule, now))
          assertApart(handled)
        }
        for (const nominal of recorded) assert.ok(isHandled(handled, nominal))
      },
    ),
    { numRuns: 2_000 },
  )
})
