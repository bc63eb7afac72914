import assert from 'node:assert/strict'
import { test } from 'node:test'
import { instant, jobOf, scheduleOf } from '@kron/testkit/reading'
import fc from 'fast-check'
import { next } from '../cron/search.ts'
import { decide } from '../decision/decision.ts'
import { openPeriods } from '../schedule/open-periods.ts'
import type { Schedule } from '../schedule/schedule.ts'
import { closedThrough, firstHandled, isHandled, markHandled } from './handled.ts'
import { lastStart } from './policy.ts'

const START = instant('2026-03-28T12:00:00Z')

function periodsFrom({ cron, zone }: Schedule, from: number, count: number): number[] {
  const periods: number[] = []
  let at = next(cron, zone, from)
  while (at !== undefined && periods.length < count) {
    periods.push(at)
    at = next(cron, zone, at)
  }
  return periods
}

test('whatever the order, exactly what was marked is handled', () => {
  const text = fc.constantFrom('*/5 * * * * @win(after,2h)', '30 1,2 * * * @tz(Europe/Paris) @win(around,9h)')
  fc.assert(
    fc.property(
      text,
      fc.array(fc.array(fc.nat(59), { maxLength: 5 }), { maxLength: 30 }),
      (schedule, batches) => {
        const job = scheduleOf(schedule)
        const first = firstHandled(job, START)
        const periods = periodsFrom(job, first.through, 60)
        const marked = new Set<number>()
        let handled = first
        for (const batch of batches) {
          const nominals = batch.map(i => periods[i]!)
          for (const nominal of nominals) marked.add(nominal)
          const before = handled
          handled = markHandled(handled, nominals, job)
          assert.ok(handled.through >= before.through)
          for (const period of periods) assert.equal(isHandled(handled, period), marked.has(period))
          assert.deepEqual(
            handled.above,
            [...new Set(handled.above)].toSorted((a, b) => a - b),
          )
          assert.ok(handled.above.every(each => each > handled.through))
          assert.ok(
            !marked.has(next(job.cron, job.zone, handled.through)!),
            'the watermark is as high as it can be',
          )
        }
      },
    ),
    { numRuns: 500, seed: 1 },
  )
})

test('what is closed is handled, though nobody recorded it', () => {
  const job = scheduleOf('*/5 * * * * @win(after,2h) @policy(deadline=10m)')
  const first = firstHandled(job, START)
  const periods = periodsFrom(job, START, 60)
  const closed = periods[19]!
  const handled = markHandled(first, [periods[30]!, periods[20]!], job, closed)
  assert.equal(handled.through, periods[20])
  assert.deepEqual(handled.above, [periods[30]])
})

test('a closed period cannot start any more, and the next one could', () => {
  const lengths = fc.constantFrom('0s', '1.5s', '1h', '2h30m')
  const schedule = fc
    .tuple(fc.constantFrom('after', 'around', 'before'), lengths, lengths)
    .map(([mode, window, deadline]) =>
      jobOf(`* * * * * @win(${mode},${window}) @policy(deadline=${deadline})`),
    )
  fc.assert(
    fc.property(schedule, fc.nat(100_000), (job, later) => {
      const now = START + later
      const closed = closedThrough(job.schedule, now)
      const latest = (nominal: number): number =>
        lastStart(job.schedule.policy, decide(job, nominal).windowEnd)
      assert.ok(latest(closed) < now)
      assert.ok(latest(closed + 1) >= now)
    }),
    { numRuns: 500, seed: 2 },
  )
})

test('a new job has handled what was over before it was seen', () => {
  const { through } = firstHandled(scheduleOf('@hourly @win(around,1h)'), START)
  assert.equal(through, START - 1_801)
  assert.equal(firstHandled(scheduleOf('@hourly @win(before,1h)'), START).through, START - 1)
})

test('the set above the watermark stays within what can be open', () => {
  const job = jobOf('* * * * * @win(after,3h) @policy(deadline=30m)')
  let handled = firstHandled(job.schedule, START)
  let most = 0
  for (let now = START; now < START + 86_400; now += 60) {
    const due = periodsFrom(job.schedule, closedThrough(job.schedule, now), 240)
      .filter(nominal => !isHandled(handled, nominal))
      .filter(nominal => decide(job, nominal).chosen! <= now)
    handled = markHandled(handled, due, job.schedule, closedThrough(job.schedule, now))
    most = Math.max(most, handled.above.length)
  }
  assert.ok(most > 50 && most <= openPeriods(job.schedule), `${most}`)
})

test('a watermark beyond the years that are answered stays where it is', () => {
  const schedule = scheduleOf('@hourly')
  const handled = { through: 8_000_000_000, above: [], firstSeen: START }
  assert.deepEqual(markHandled(handled, [], schedule), handled)
  const ahead = { ...handled, ranges: [{ after: 8_000_003_600, through: 8_000_007_200 }] }
  assert.deepEqual(markHandled(ahead, [], schedule), ahead)
})

test('periods that passed without an outcome are handled above the watermark, in order, and can be reopened', () => {
  const schedule = scheduleOf('@hourly')
  const hour = (n: number): number => START + n * 3_600
  const handled = { through: START, above: [hour(9)], firstSeen: START }
  const single = (n: number) => ({ after: hour(n) - 1, through: hour(n) })
  assert.deepEqual(markHandled(handled, [], schedule, START, [hour(5), hour(3)]), {
    ...handled,
    above: [hour(3), hour(5), hour(9)],
    swept: [single(3), single(5)],
  })
  assert.deepEqual(markHandled(handled, [], schedule, START, [hour(5)]), {
    ...handled,
    above: [hour(5), hour(9)],
    swept: [single(5)],
  })
})
