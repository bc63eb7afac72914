import assert from 'node:assert/strict'
import { test } from 'node:test'
import { instant, jobOf } from '@kron/testkit/reading'
import fc from 'fast-check'
import { next } from '../cron/search.ts'
import type { PeriodAttempt } from './attempt.ts'
import { firstHandled, isHandled, markHandled } from './handled.ts'
import { lastStart } from './policy.ts'
import { type ActiveRun, type TurnInput, type TurnResult, turn } from './turn.ts'

const START = instant('2026-03-28T12:00:00Z')

const JOBS = ['allow', 'forbid', 'replace'].flatMap(concurrency =>
  [
    `*/5 * * * * @win(after,20m) @policy(concurrency=${concurrency},deadline=10m)`,
    `* * * * * @policy(concurrency=${concurrency})`,
    `0 * * * * @win(around,90m) @policy(concurrency=${concurrency},deadline=1h) @only(hours=11-14)`,
    `*/20 * * * * @win(before,30m) @policy(concurrency=${concurrency},deadline=2h)`,
    `* * * * * @policy(concurrency=${concurrency},suspend=true)`,
  ].map((text, i) => jobOf(text, `turn/${concurrency}-${i}`)),
)

const PHASES = ['queued', 'replacing', 'intended', 'running', 'retrying'] as const

/** Any situation of any of the jobs: some periods handled, some attempted, runs active or not. */
const situation: fc.Arbitrary<TurnInput> = fc
  .record({
    job: fc.constantFrom(...JOBS),
    now: fc.integer({ min: START, max: START + 4 * 3_600 }),
    handledAt: fc.array(fc.nat(80), { maxLength: 20 }),
    attempted: fc.uniqueArray(
      fc.record({
        index: fc.nat(80),
        phase: fc.constantFrom(...PHASES),
        later: fc.integer({ min: -50, max: 400 }),
      }),
      { maxLength: 6, selector: each => each.index },
    ),
    active: fc.array(fc.record({ ending: fc.boolean() }), { maxLength: 3 }),
    room: fc.boolean(),
    catchingUp: fc.boolean(),
    block: fc.option(fc.integer({ min: -50, max: 400 }), { nil: undefined }),
  })
  .map(({ job, now, handledAt, attempted, active, room, catchingUp, block }) => {
    const first = firstHandled(job.schedule, START)
    const { cron, zone } = job.schedule
    const periods: number[] = []
    while (periods.length <= 80) periods.push(next(cron, zone, periods.at(-1) ?? first.through)!)
    const nominals = handledAt.map(index => periods[index]!)
    const handled = markHandled(first, nominals, job.schedule)
    const attempts = attempted.map(({ index, phase, later }): PeriodAttempt => {
      const nominal = periods[index]!
      return phase === 'retrying' ? { phase, nominal, retryAt: now + later } : { phase, nominal }
    })
    const blocked = block === undefined ? {} : { notBefore: now + block }
    return { job, handled, attempts, active, room, now, catchingUp, ...blocked }
  })

/** A caller that carries out every answer; its starts succeed, and its runs take time to end. */
function carriedOut(given: TurnInput, { handled, start, replace, queue }: TurnResult): TurnInput {
  const moved = start ?? replace ?? queue
  const kept = given.attempts.filter(
    each => each.nominal !== moved?.nominal && !isHandled(handled, each.nominal),
  )
  const phase = start ? 'intended' : replace ? 'replacing' : 'queued'
  const attempts: PeriodAttempt[] = moved ? [...kept, { phase, nominal: moved.nominal }] : kept
  const active: readonly ActiveRun[] = replace ? given.active.map(() => ({ ending: true })) : given.active
  return { ...given, handled, attempts, active }
}

/** Calls the machine until it has no step left; the answers on the way. */
function followed(given: TurnInput): { answers: TurnResult[]; last: TurnInput } {
  const answers: TurnResult[] = []
  let state = given
  for (;;) {
    const answer = turn(state)
    answers.push(answer)
    state = carriedOut(state, answer)
    if (!answer.start && !answer.replace && !answer.queue) return { answers, last: state }
    assert.ok(answers.length < 500, 'the machine does not come to rest')
  }
}

const RUNS = { numRuns: 1_500, seed: 7 }

test('every period gets at most one outcome or start, and none that was handled gets one', () => {
  const seen = { outcomes: 0, start: 0, replace: 0, queue: 0 }
  fc.assert(
    fc.property(situation, given => {
      const ended = new Set<number>()
      for (const { outcomes, start, replace, queue } of followed(given).answers) {
        for (const { decision } of [...outcomes, ...(start ? [{ decision: start }] : [])]) {
          assert.ok(!isHandled(given.handled, decision.nominal))
          assert.ok(!ended.has(decision.nominal))
          ended.add(decision.nominal)
        }
        assert.ok([start, replace, queue].filter(each => each !== undefined).length <= 1)
        seen.outcomes += outcomes.length
        if (start) seen.start++
        if (replace) seen.replace++
        if (queue) seen.queue++
      }
    }),
    RUNS,
  )
  for (const [what, count] of Object.entries(seen)) assert.ok(count > 50, `${what}: ${count}`)
})

test('nothing starts before its time, and after its deadline only a replacement that was judged in time', () => {
  fc.assert(
    fc.property(situation, given => {
      const { start } = turn(given)
      if (start === undefined) return
      assert.ok(start.chosen !== null && start.chosen <= given.now)
      const attempt = given.attempts.find(each => each.nominal === start.nominal)
      if (attempt?.phase !== 'replacing')
        assert.ok(given.now <= lastStart(given.job.schedule.policy, start.chosen))
    }),
    RUNS,
  )
})

test('catching up starts at most one late period', () => {
  fc.assert(
    fc.property(situation, given => {
      const replacing = new Set(
        given.attempts.filter(each => each.phase === 'replacing').map(each => each.nominal),
      )
      const starts = followed({ ...given, catchingUp: true }).answers.flatMap(
        ({ start, replace, queue }) => start ?? replace ?? queue ?? [],
      )
      const late = starts.filter(each => each.chosen! < given.now && !replacing.has(each.nominal))
      assert.ok(new Set(late.map(each => each.nominal)).size <= 1)
    }),
    RUNS,
  )
})

test('the answer does not depend on the order of the attempts', () => {
  fc.assert(
    fc.property(situation, given => {
      const other = turn({ ...given, attempts: given.attempts.toReversed() })
      assert.deepEqual(other, turn(given))
    }),
    RUNS,
  )
})

test('it asks to be woken after now, and at no moment before that does the answer change', () => {
  fc.assert(
    fc.property(situation, fc.integer({ min: 1, max: 2_000 }), (given, later) => {
      const { last } = followed(given)
      const { wakeAt, outcomes, start, replace, queue } = turn(last)
      assert.ok(wakeAt === undefined || wakeAt > given.now)
      assert.deepEqual([outcomes, start, replace, queue], [[], undefined, undefined, undefined])
      const before = wakeAt === undefined ? given.now + later : Math.min(wakeAt - 1, given.now + later)
      const quiet = turn({ ...last, now: before, catchingUp: false })
      assert.deepEqual(
        [quiet.outcomes, quiet.start, quiet.replace, quiet.queue],
        [[], undefined, undefined, undefined],
      )
    }),
    RUNS,
  )
})

test('once its answer is carried out the same question has nothing new', () => {
  fc.assert(
    fc.property(situation, given => {
      const { last, answers } = followed(given)
      const again = turn(last)
      assert.deepEqual(
        [again.outcomes, again.start, again.replace, again.queue],
        [[], undefined, undefined, undefined],
      )
      assert.equal(again.handled, last.handled)
      assert.equal(again.unseen, undefined)
      assert.equal(
        again.wakeAt,
        answers.at(-1)!.outcomes.length === 0 ? answers.at(-1)!.wakeAt : again.wakeAt,
      )
    }),
    RUNS,
  )
})

test('a suspended job has no outcomes, no steps and no wake-up', () => {
  fc.assert(
    fc.property(situation, given => {
      if (!given.job.schedule.policy.suspend) return
      assert.deepEqual(turn(given), { outcomes: [], handled: given.handled })
    }),
    RUNS,
  )
})

test('the watermark never falls and never passes an open attempt without an outcome', () => {
  fc.assert(
    fc.property(situation, given => {
      const { handled, outcomes } = turn(given)
      assert.ok(handled.through >= given.handled.through)
      const ended = new Set(outcomes.map(each => each.decision.nominal))
      for (const { nominal, phase } of given.attempts) {
        if (phase === 'running' || isHandled(given.handled, nominal) || ended.has(nominal)) continue
        assert.ok(!isHandled(handled, nominal))
      }
    }),
    RUNS,
  )
})
