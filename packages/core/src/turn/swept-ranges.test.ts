import assert from 'node:assert/strict'
import { test } from 'node:test'
import { instant, scheduleOf } from '@kron/testkit/reading'
import { firstHandled, type Handled, isHandled, markHandled } from './handled.ts'
import { addSwept, MOST_SWEPT, type NominalRange, reopenSwept, sweptBefore } from './swept.ts'

const HOURLY = scheduleOf('0 * * * *')
const TWO_HOURS = scheduleOf('0 * * * * @win(after,2h)')
const TEN_HOURS = scheduleOf('0 * * * * @win(after,10h)')

/** The period of this hour, counted from a midnight. */
const hour = (n: number): number => instant('2026-03-01T00:00:00Z') + n * 3_600
const range = (after: number, through: number): NominalRange => ({ after, through })
/** A job that was first seen at hour 0. */
const seen = (rest: Partial<Handled> = {}): Handled => ({
  through: hour(0),
  above: [],
  firstSeen: hour(0),
  ...rest,
})

const MORNING = range(hour(-8) - 1, hour(-6))
const EXPLICIT = [range(0, hour(-5)), range(hour(1) - 1, hour(2)), range(hour(4) - 1, hour(6))]

const RECORDED: readonly [what: string, find: () => object, expected: object][] = [
  [
    'a period from the first sight on makes nothing explicit',
    () => sweptBefore(seen(), HOURLY, [hour(0)]),
    {},
  ],
  ['no period makes nothing explicit', () => sweptBefore(seen(), HOURLY, []), {}],
  [
    'an earlier one makes explicit which periods were over, by the window',
    () => sweptBefore(seen({ swept: [MORNING] }), TEN_HOURS, [hour(2), hour(-3)]),
    { swept: [range(0, hour(-10) - 1), MORNING] },
  ],
  [
    'that range ends before the earliest recorded period',
    () => sweptBefore(seen(), HOURLY, [hour(-1), hour(-3)]),
    { swept: [range(0, hour(-3) - 1)] },
  ],
  [
    'that range ends before the first swept range',
    () => sweptBefore(seen({ swept: [MORNING] }), HOURLY, [hour(-3)]),
    { swept: [range(0, MORNING.after), MORNING] },
  ],
  [
    'an explicit range without the recorded period stays',
    () => sweptBefore(seen({ swept: EXPLICIT }), HOURLY, [hour(-4)]),
    {},
  ],
  [
    'an explicit range is cut before a recorded period at its end',
    () => sweptBefore(seen({ swept: EXPLICIT }), HOURLY, [hour(-5)]),
    { swept: [range(0, hour(-5) - 1), ...EXPLICIT.slice(1)] },
  ],
  [
    'an explicit range is cut where it is the only one',
    () => sweptBefore(seen({ swept: EXPLICIT.slice(0, 1) }), HOURLY, [hour(-9)]),
    { swept: [range(0, hour(-9) - 1)] },
  ],
  [
    'an explicit range is cut before a recorded period within it',
    () => sweptBefore(seen({ swept: EXPLICIT }), HOURLY, [hour(-9)]),
    { swept: [range(0, hour(-9) - 1), ...EXPLICIT.slice(1)] },
  ],
]

for (const [what, find, expected] of RECORDED)
  test(`recording: ${what}`, () => assert.deepEqual(find(), expected))

test('of very many ranges the one from the beginning and the newest are kept', () => {
  const many = Array.from({ length: MOST_SWEPT + 20 }, (_, i) => range(hour(2 * i) - 1, hour(2 * i)))
  const { swept } = sweptBefore(seen({ swept: [range(0, hour(-5)), ...many] }), HOURLY, [hour(-9)])
  assert.deepEqual(swept, [range(0, hour(-9) - 1), ...many.slice(21)])
  assert.equal(swept!.length, 100)
})

const PASSED: readonly [what: string, find: () => object, expected: object][] = [
  [
    'a watermark that stops in the second of a period has passed it',
    () => addSwept(seen(), HOURLY, hour(1), []),
    { swept: [range(hour(1) - 1, hour(1))] },
  ],
  ['a watermark that stops before it has not', () => addSwept(seen(), HOURLY, hour(1) - 1, []), {}],
  [
    'recorded periods are left out',
    () => addSwept(seen({ above: [hour(2)], ranges: [range(hour(4), hour(6))] }), HOURLY, hour(7) + 60, []),
    {
      swept: [range(hour(1) - 1, hour(2) - 1), range(hour(3) - 1, hour(4)), range(hour(7) - 1, hour(7) + 60)],
    },
  ],
  [
    'single periods are added in order, behind the older ranges',
    () => addSwept(seen({ swept: [MORNING] }), HOURLY, hour(0), [hour(9), hour(5)]),
    { swept: [MORNING, range(hour(5) - 1, hour(5)), range(hour(9) - 1, hour(9))] },
  ],
  [
    'a single period that the watermark passes is added once',
    () => addSwept(seen(), HOURLY, hour(2), [hour(2), hour(1)]),
    { swept: [range(hour(1) - 1, hour(2))] },
  ],
]

for (const [what, find, expected] of PASSED)
  test(`passing: ${what}`, () => assert.deepEqual(find(), expected))

const NOW = hour(4) + 1_800
/** Every period is over, but hour 4 starts within the next hour. */
const onlyFour = (nominal: number): number => (nominal === hour(4) ? hour(5) : nominal)
const passedTo = (after: number, through: number): Handled =>
  seen({ through: hour(10), firstSeen: hour(-50), swept: [range(after, through)] })

test('reopening opens a waiting period and all after now; the stretches between them stay handled', () => {
  const handled = passedTo(hour(1) - 1, hour(10))
  assert.deepEqual(reopenSwept(handled, TWO_HOURS, NOW, onlyFour), {
    ...handled,
    through: hour(4) - 1,
    ranges: [range(hour(4), NOW)],
    swept: [range(hour(1) - 1, hour(4) - 1), range(hour(4), NOW)],
  })
})

test('reopening leaves no empty ranges', () => {
  const first = passedTo(hour(4) - 1, hour(10))
  assert.deepEqual(reopenSwept(first, TWO_HOURS, NOW, onlyFour), {
    ...first,
    through: hour(4) - 1,
    ranges: [range(hour(4), NOW)],
    swept: [range(hour(4), NOW)],
  })
  const { swept: _, ...rest } = first
  assert.deepEqual(reopenSwept(first, TWO_HOURS, hour(4) - 1, onlyFour), { ...rest, through: hour(4) - 1 })
})

test('a period chosen this very second is not owed again, one chosen in the next second is', () => {
  const handled = passedTo(hour(1) - 1, hour(10))
  const opened = (chosen: number, now: number): boolean =>
    !isHandled(
      reopenSwept(handled, TWO_HOURS, now, each => (each === hour(4) ? chosen : null)),
      hour(4),
    )
  assert.equal(opened(NOW, NOW), false)
  assert.equal(opened(NOW + 1, NOW), true)
  assert.equal(opened(hour(6), hour(6) - 1), true, 'the last second of its window')
})

test('the same state comes back if nothing was passed after now', () => {
  const passed = passedTo(hour(1) - 1, hour(4))
  assert.equal(
    reopenSwept(passed, TWO_HOURS, hour(4), () => hour(5)),
    passed,
  )
  const fresh = firstHandled(HOURLY, NOW)
  assert.equal(
    reopenSwept(fresh, HOURLY, NOW, () => null),
    fresh,
  )
})

test('a single period that passed above the watermark is owed again', () => {
  const before = seen()
  const passed = markHandled(before, [], HOURLY, hour(0), [hour(5)])
  assert.ok(isHandled(passed, hour(5)))
  assert.deepEqual(
    reopenSwept(passed, HOURLY, hour(2), () => null),
    before,
  )
})

test('after a first sight by a clock that was ahead, periods that were over are owed and recorded ones are not', () => {
  const ahead = hour(24 * 365)
  const setBack = (handled: Handled, schedule = HOURLY): Handled =>
    reopenSwept(handled, schedule, NOW, () => null)
  for (const schedule of [HOURLY, TWO_HOURS]) {
    const ran = markHandled(firstHandled(schedule, ahead), [ahead], schedule)
    const again = setBack(ran, schedule)
    assert.ok(isHandled(again, ahead), 'it ran in the second of the first sight')
    assert.ok(!isHandled(again, hour(5)))
  }
  assert.ok(!isHandled(setBack(firstHandled(HOURLY, ahead + 1)), ahead), 'over by a second')
})
