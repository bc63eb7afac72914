import assert from 'node:assert/strict'
import { test } from 'node:test'
import { instant, jobOf } from '@kron/testkit/reading'
import fc from 'fast-check'
import { next } from '../cron/search.ts'
import { type Decision, decide, triggerOf } from '../decision/decision.ts'
import type { Job } from '../schedule/schedule.ts'
import { printInstant } from '../time/instant.ts'
import { closedThrough, firstHandled, type Handled, isHandled, markHandled } from './handled.ts'
import { plan } from './plan.ts'
import { judge, lastStart } from './policy.ts'
import { turn } from './turn.ts'

const START = instant('2026-03-28T12:00:00Z')

const JOBS = [
  '*/5 * * * * @win(after,2h)',
  '*/20 * * * * @win(around,5h) @policy(deadline=1h) @dist(normal)',
  '0 * * * * @win(before,90m) @policy(deadline=10m) @dist(skewLate)',
  '30 0-4 * * * @tz(Europe/Paris) @win(after,3h) @policy(deadline=30m)',
  '0 * * * * @win(after,4h) @only(hours=2-5) @policy(deadline=2h)',
  '7 * * * *',
  '0 6 * * * @policy(deadline=24h)',
].map((text, i) => jobOf(text, `plan/${i}`))

/** Every period of two weeks around the start, decided one by one. */
function decisionsOf(job: Job): Decision[] {
  const decisions: Decision[] = []
  let nominal = next(job.schedule.cron, job.schedule.zone, START - 7 * 86_400)
  while (nominal !== undefined && nominal < START + 7 * 86_400) {
    decisions.push(decide(job, nominal))
    nominal = next(job.schedule.cron, job.schedule.zone, nominal)
  }
  return decisions
}
const ALL = new Map(JOBS.map(job => [job, decisionsOf(job)]))

const byDueTime = (a: Decision, b: Decision): number => triggerOf(a) - triggerOf(b) || a.nominal - b.nominal

/** A job at some moment, with some of its periods handled. */
const moment = fc
  .record({
    job: fc.constantFrom(...JOBS),
    seenBefore: fc.nat(2 * 86_400),
    now: fc.integer({ min: START - 3_600, max: START + 86_400 }),
    handledShare: fc.constantFrom(0, 0.5, 0.95, 1),
    draws: fc.infiniteStream(fc.nat(99)),
  })
  .map(({ job, seenBefore, now, handledShare, draws }) => {
    const first = firstHandled(job.schedule, START - seenBefore)
    const done = ALL.get(job)!.filter(
      each =>
        triggerOf(each) <= now &&
        triggerOf(each) >= first.firstSeen &&
        draws.next().value! < handledShare * 100,
    )
    const nominals = done.map(each => each.nominal)
    return { job, now, handled: markHandled(first, nominals, job.schedule) }
  })

const owed = (job: Job, handled: Handled): Decision[] =>
  ALL.get(job)!.filter(each => !isHandled(handled, each.nominal) && triggerOf(each) >= handled.firstSeen)

test('a plan holds every open period and the next to come, in order of attention', () => {
  fc.assert(
    fc.property(moment, ({ job, handled, now }) => {
      const planned = plan(job, handled, now)
      assert.deepEqual(planned, planned.toSorted(byDueTime))
      const open = owed(job, handled).filter(each => each.nominal > closedThrough(job.schedule, now))
      const nominals = new Set(planned.map(each => each.nominal))
      assert.equal(nominals.size, planned.length)
      for (const each of open)
        if (each.windowStart <= now) assert.ok(nominals.has(each.nominal), printInstant(each.nominal))
      for (const each of planned) assert.ok(open.some(other => other.nominal === each.nominal))
      const coming = open.filter(each => triggerOf(each) > now).toSorted(byDueTime)
      assert.deepEqual(
        planned.find(each => triggerOf(each) > now),
        coming[0],
      )
    }),
    { numRuns: 1_000, seed: 1 },
  )
})

test('catching up starts only the last chosen of the late periods, and names the others', () => {
  const seen = { superseded: 0, current: 0, deadline: 0 }
  fc.assert(
    fc.property(moment, ({ job, handled, now }) => {
      const { outcomes, start } = turn({
        job,
        handled,
        now,
        attempts: [],
        active: [],
        room: true,
        catchingUp: true,
      })
      const inTime = (each: Decision): boolean => now <= lastStart(job.schedule.policy, each.chosen!)
      const late = owed(job, handled).filter(each => each.chosen !== null && each.chosen < now)
      const current = late.filter(inTime).toSorted(byDueTime).at(-1)
      if (current) assert.deepEqual(start, current)
      else assert.ok(start === undefined || start.chosen === now)
      const named = (reason: string): Decision[] =>
        outcomes.filter(each => each.reason === reason).map(each => each.decision)
      const superseded = named('superseded')
      assert.deepEqual(superseded, late.filter(each => inTime(each) && each !== current).toSorted(byDueTime))
      const expired = named('deadline')
      for (const decision of expired) assert.ok(!inTime(decision))
      if (current) seen.current++
      seen.superseded += superseded.length
      seen.deadline += expired.length
    }),
    { numRuns: 1_000, seed: 2 },
  )
  assert.ok(seen.current > 50 && seen.superseded > 50 && seen.deadline > 50, JSON.stringify(seen))
})

/** Wakes at every due time, as an adapter that is never late does; tells when each period ran. */
function steady(job: Job, from: number, until: number): [nominal: number, now: number][] {
  const ran: [number, number][] = []
  let handled = firstHandled(job.schedule, from)
  let now = from
  for (;;) {
    const [first] = plan(job, handled, now)
    if (first === undefined || triggerOf(first) >= until) return ran
    now = Math.max(now, triggerOf(first))
    const verdict = judge({
      decision: first,
      policy: job.schedule.policy,
      handled: false,
      active: false,
      now,
    })
    if (verdict.kind === 'execute') ran.push([first.nominal, now])
    handled = markHandled(handled, [first.nominal], job.schedule, closedThrough(job.schedule, now))
  }
}

for (const job of JOBS) {
  test(`each period of ${job.identity} runs once, in its chosen second, across the change to summer time`, () => {
    const until = START + 2 * 86_400
    const expected = ALL.get(job)!
      .filter(each => each.chosen !== null && each.chosen >= START && each.chosen < until)
      .toSorted(byDueTime)
      .map(each => [each.nominal, each.chosen])
    assert.ok(expected.length > 0)
    assert.deepEqual(steady(job, START, until), expected)
  })
}

test('a new job with a long deadline does not start at once', () => {
  const job = jobOf('0 6 * * * @policy(deadline=24h)')
  const seen = instant('2026-03-28T12:00:00Z')
  const handled = firstHandled(job.schedule, seen)
  assert.deepEqual(
    plan(job, handled, seen).map(each => printInstant(each.nominal)),
    ['2026-03-29T06:00:00Z'],
  )
})

test('a period chosen in the very second in which its job is first seen is owed', () => {
  const job = jobOf('0 6 * * *')
  const seen = instant('2026-03-28T06:00:00Z')
  assert.equal(plan(job, firstHandled(job.schedule, seen), seen)[0]!.nominal, seen)
})

test('a clock set back plans nothing that was handled', () => {
  const job = jobOf('0 * * * *')
  const handled = markHandled(firstHandled(job.schedule, START), [START], job.schedule)
  assert.equal(plan(job, handled, START - 86_400)[0]!.nominal, START + 3_600)
})

test('both occurrences of an hour that is repeated are planned, and none of one that is skipped', () => {
  const job = jobOf('30 2 * * * @tz(Europe/Paris)')
  const nominals = (from: string) => {
    const seen = instant(from)
    return steady(job, seen, seen + 2 * 86_400).map(([nominal]) => printInstant(nominal))
  }
  assert.deepEqual(nominals('2026-10-24T12:00:00Z'), [
    '2026-10-25T00:30:00Z',
    '2026-10-25T01:30:00Z',
    '2026-10-26T01:30:00Z',
  ])
  assert.deepEqual(nominals('2026-03-28T12:00:00Z'), ['2026-03-30T00:30:00Z'])
})

test('a period that asks for attention this very second does not stand for the next to come', () => {
  const now = instant('2026-03-01T02:00:00Z')
  const planned = plan(jobOf('0 * * * *'), { through: now - 60, above: [], firstSeen: now - 60 }, now)
  assert.deepEqual(
    planned.map(({ nominal }) => nominal),
    [now, now + 3_600],
  )
})
