import assert from 'node:assert/strict'
import { test } from 'node:test'
import { instant, jobOf } from '@kron/testkit/reading'
import { decide } from '../decision/decision.ts'
import type { Job } from '../schedule/schedule.ts'
import { printInstant } from '../time/instant.ts'
import { closedThrough, firstHandled, type Handled } from './handled.ts'
import { lastClosed } from './plan.ts'
import { turn } from './turn.ts'
import { MOST_UNSEEN } from './unseen.ts'

const NOON = instant('2026-03-28T12:00:00Z')
const MINUTE = 60
const DAY = 86_400

const handledThrough = (through: number, firstSeen = through): Handled => ({ through, above: [], firstSeen })

const turnOf = (job: Job, handled: Handled, now: number) =>
  turn({ job, handled, now, attempts: [], active: [], room: true, catchingUp: true })

/** The result of catching up at `now`: the outcomes, the period that starts, and the next call. */
function caughtUp(schedule: string, handled: Handled, now: number) {
  const { outcomes, start, wakeAt } = turnOf(jobOf(schedule), handled, now)
  return {
    outcomes: outcomes.map(each => `${printInstant(each.decision.nominal)} ${each.outcome} ${each.reason}`),
    start: start && printInstant(start.nominal),
    wakeAt: wakeAt && printInstant(wakeAt),
  }
}

test('in the last second of its deadline a late period may still start, and no longer in the next', () => {
  const schedule = '0 12 * * * @policy(deadline=1m)'
  const handled = handledThrough(NOON - MINUTE)
  assert.deepEqual(caughtUp(schedule, handled, NOON + MINUTE), {
    outcomes: [],
    start: '2026-03-28T12:00:00Z',
    wakeAt: '2026-03-29T12:00:00Z',
  })
  assert.deepEqual(caughtUp(schedule, handled, NOON + MINUTE + 1), {
    outcomes: ['2026-03-28T12:00:00Z missed deadline'],
    start: undefined,
    wakeAt: '2026-03-29T12:00:00Z',
  })
})

test('of two late periods one in the last second of its deadline is superseded, not past it', () => {
  const { outcomes } = caughtUp('* * * * * @policy(deadline=2m)', handledThrough(NOON), NOON + 3 * MINUTE)
  assert.deepEqual(outcomes, ['2026-03-28T12:01:00Z missed superseded'])
})

test('a period chosen this very second is not late, and supersedes none that is', () => {
  const answer = caughtUp('* * * * * @policy(deadline=5m)', handledThrough(NOON), NOON + 2 * MINUTE)
  assert.deepEqual([answer.outcomes, answer.start], [[], '2026-03-28T12:01:00Z'])
})

test('a period that is handled is not missed when its deadline passes', () => {
  const handled = handledThrough(NOON, NOON - 60 * MINUTE)
  assert.deepEqual(caughtUp('0 * * * *', handled, NOON + 10 * MINUTE), {
    outcomes: [],
    start: undefined,
    wakeAt: '2026-03-28T13:00:00Z',
  })
})

test('a period chosen in the very second in which its job was first seen can be missed', () => {
  const job = jobOf('0 12 * * *')
  const closed = (firstSeen: number) =>
    lastClosed(job, handledThrough(NOON - 1, firstSeen), NOON + MINUTE)?.nominal
  assert.equal(closed(NOON), NOON)
  assert.equal(closed(NOON + 1), undefined)
})

test('of the periods that closed long ago only the latest is named', () => {
  const job = '0 0 * * * @policy(deadline=1m)'
  assert.deepEqual(caughtUp(job, firstHandled(jobOf(job).schedule, NOON), NOON + 40 * DAY), {
    outcomes: ['2026-05-07T00:00:00Z missed deadline'],
    start: undefined,
    wakeAt: '2026-05-08T00:00:00Z',
  })
})

test('a period that closed is named, though a later one was handled before it', () => {
  const [earlier, later] = [NOON + MINUTE, NOON + 2 * MINUTE]
  const handled: Handled = { through: NOON, above: [later], firstSeen: NOON }
  const job = jobOf('* * * * * @win(after,3m) @policy(deadline=1m)')
  const [first] = turnOf(job, handled, later + 4 * MINUTE + 10).outcomes
  assert.deepEqual([first!.decision.nominal, first!.reason], [earlier, 'deadline'])
})

test('a period that closed without an allowed second was unschedulable, not missed', () => {
  const job = '0 0 * * * @win(after,1h) @only(hours=9)'
  const { outcomes, start } = caughtUp(job, firstHandled(jobOf(job).schedule, NOON), NOON + 40 * DAY)
  assert.deepEqual(outcomes, ['2026-05-07T00:00:00Z unschedulable constraints'])
  assert.equal(start, undefined)
})

test('a new job with a long deadline has missed nothing', () => {
  const job = jobOf('0 6 * * * @policy(deadline=24h)')
  const { outcomes, start } = turnOf(job, firstHandled(job.schedule, NOON), NOON)
  assert.deepEqual([outcomes, start], [[], undefined])
})

test('a job that was down since it was first seen misses each period chosen since then, and no other', () => {
  for (let i = 0; i < 40; i++) {
    const job = jobOf('* * * * * @win(after,10m)', `down/${i}`)
    const chosenOf = (nominal: number): number => decide(job, nominal).chosen!
    // A period is chosen in the very second of the first sight.
    const firstSeen = chosenOf(NOON - 5 * MINUTE)
    const now = NOON + 30 * MINUTE
    const first = firstHandled(job.schedule, firstSeen)
    const owed: number[] = []
    for (let nominal = NOON - 20 * MINUTE; nominal <= closedThrough(job.schedule, now); nominal += MINUTE)
      if (nominal > first.through && chosenOf(nominal) >= firstSeen) owed.push(nominal)
    const { outcomes, unseen } = turnOf(job, first, now)
    const named = outcomes.find(each => each.decision.nominal === owed.at(-1))
    assert.equal(named?.reason, 'deadline')
    assert.deepEqual(unseen, { missed: owed.slice(0, -1), more: false })
  }
})

test('downtime soon after the first sight loses no period, though the latest that closed was chosen before it', () => {
  let hidden = 0
  for (let i = 0; i < 40; i++) {
    const job = jobOf('* * * * * @win(after,10m) @policy(deadline=5s)', `soon/${i}`)
    const chosenOf = (nominal: number): number => decide(job, nominal).chosen!
    for (const now of [11, 12, 13, 15, 18].map(minutes => NOON + minutes * MINUTE)) {
      const first = firstHandled(job.schedule, NOON + 5 * MINUTE)
      const closed: number[] = []
      for (let nominal = NOON - 20 * MINUTE; nominal <= closedThrough(job.schedule, now); nominal += MINUTE)
        if (nominal > first.through) closed.push(nominal)
      const owed = closed.filter(each => chosenOf(each) >= first.firstSeen)
      const { outcomes, unseen } = turnOf(job, first, now)
      const named = outcomes.map(each => each.decision.nominal).filter(each => each <= closed.at(-1)!)
      assert.deepEqual([...(unseen?.missed ?? []), ...named], owed)
      if (owed.length > 0 && owed.at(-1) !== closed.at(-1)) hidden++
    }
  }
  assert.ok(hidden > 20, `${hidden} times the latest was not owed`)
})

/** The job, with a count of how often a period of it has been decided. */
function counting(text: string): { job: Job; decided: () => number } {
  const { schedule } = jobOf(text)
  let count = 0
  const job: Job = {
    get identity() {
      count++
      return 'counted'
    },
    schedule,
  }
  return { job, decided: () => count }
}

test('a year of downtime costs a bounded number of decisions, and leaves the watermark near now', () => {
  const { job, decided } = counting('* * * * * @win(after,2h) @policy(deadline=1h)')
  const now = NOON + 365 * DAY
  const { handled, start } = turnOf(job, firstHandled(job.schedule, NOON), now)
  const openMinutes = 3 * 60
  assert.ok(decided() <= MOST_UNSEEN + openMinutes + 60, `${decided()} decisions`)
  assert.ok(start !== undefined && start.chosen! < now)
  assert.ok(handled.through >= closedThrough(job.schedule, now) - MINUTE)
})
