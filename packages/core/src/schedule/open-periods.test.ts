import assert from 'node:assert/strict'
import { test } from 'node:test'
import { faultsOf, instant, scheduleOf } from '@kron/testkit/reading'
import fc from 'fast-check'
import { next } from '../cron/search.ts'
import { SECOND } from '../time/duration.ts'
import { Faults } from './argument.ts'
import { checkOpenPeriods, openPeriods } from './open-periods.ts'
import { parseSchedule } from './parse.ts'
import type { Schedule } from './schedule.ts'

/** The most occurrences of 29 years that lie within the span of each other, one by one. */
function counted({ cron, zone, window, policy }: Schedule, years: number): number {
  const span = (window.duration + policy.deadline) / SECOND
  const until = instant(`${2000 + years}-01-01T00:00:00Z`)
  const open: number[] = []
  let most = 0
  let from = 0
  let at = next(cron, zone, instant('1999-12-31T23:59:59Z'))
  while (at !== undefined && at < until) {
    open.push(at)
    while (open[from]! < at - span) from++
    most = Math.max(most, open.length - from)
    at = next(cron, zone, at)
  }
  return most
}

const limited = (schedule: Schedule, most: number): number => {
  const faults = new Faults()
  checkOpenPeriods(schedule, { text: '', at: 0 }, faults, most)
  return faults.list.length
}

test('the count is that of the occurrences themselves', () => {
  const cron = fc.constantFrom(
    '0-29 * * * *',
    '*/7 9-17 * * *',
    '0 0 1 * *',
    '5,10 0,23 * * 1-5',
    '0 */6 29 2 *',
    '59 23 31 12 *',
    '0 0 13 * 5',
    '0 12 * * 0',
  )
  const minutes = fc.oneof(
    fc.integer({ min: 0, max: 44_640 }),
    fc.constantFrom(0, 1, 59, 1_439, 1_440, 1_441, 10_080),
  )
  fc.assert(
    fc.property(cron, minutes, fc.integer({ min: 0, max: 59 }), (expression, length, seconds) => {
      const schedule = scheduleOf(`${expression} @win(after,${length}m) @policy(deadline=${seconds}s)`)
      assert.equal(openPeriods(schedule), counted(schedule, 29))
    }),
    { numRuns: 40, seed: 1 },
  )
})

test('a schedule is refused from the first period too many', () => {
  const cases: [text: string, open: number][] = [
    ['0 * * * * @win(after,23h)', 24],
    ['0 * * * * @win(after,22h) @policy(deadline=1h)', 24],
    ['0 0 1 1 * @win(after,744h)', 1],
    ['*/5 * * * * @win(after,744h) @policy(deadline=48h)', 9_505],
    ['0-29 * * * * @win(after,331h)', 9_931],
    ['* * * * * @win(after,23h)', 1_381],
    ['* * * * * @win(after,6h) @policy(deadline=18h)', 1_441],
  ]
  for (const [text, open] of cases) {
    const schedule = scheduleOf(text)
    assert.equal(openPeriods(schedule), open)
    assert.deepEqual([limited(schedule, open), limited(schedule, open - 1)], [0, 1], text)
  }
})

test('where days without a period lie between, only what both ends of a span reach is counted', () => {
  const day = 1_440
  const lengths = [0, 1, 2, 6, 7, 27].flatMap(days => [0, 1, 59, 60, day - 1].map(rest => days * day + rest))
  for (const expression of [
    '0 0 1 * *',
    '59 23 1 * *',
    '30 12 1,2,4 * *',
    '0 0,12 * * 0',
    '59 23 31 12 *',
    '0 0,23 1-3 * *',
  ]) {
    for (const length of lengths) {
      const schedule = scheduleOf(`${expression} @win(after,${length}m)`)
      assert.equal(openPeriods(schedule), counted(schedule, 29), `${expression}, ${length} minutes`)
    }
  }
})

test('ten thousand periods may be open at once, and no more', () => {
  assert.ok(parseSchedule('* * * * * @win(after,9999m)').ok)
  const [fault] = faultsOf(parseSchedule('* * * * * @win(after,10000m)'))
  assert.equal(fault!.message, 'up to 10001 periods would be open at once, more than 10000')
})
