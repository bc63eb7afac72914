import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { instant, jobOf } from '@kron/testkit/reading'
import { decide } from '../decision/decision.ts'
import { printInstant } from '../time/instant.ts'
import { type TurnInput, type TurnResult, turn } from './turn.ts'

const NOON = instant('2026-03-28T12:00:00Z')
const MINUTE = 60
const HOUR = 3_600

/** A job at a moment: every period up to 11:59:59 is handled and nothing is under way. */
const at = (schedule: string, now: number, rest: Partial<TurnInput> = {}): TurnInput => ({
  job: jobOf(schedule),
  handled: { through: NOON - 1, above: [], firstSeen: NOON - HOUR },
  attempts: [],
  active: [],
  room: true,
  now,
  catchingUp: false,
  ...rest,
})

/** An answer as one line: outcomes, the step, and when to ask again. */
function line({ outcomes, start, replace, queue, unseen, wakeAt }: TurnResult): string {
  const time = (instant: number): string => printInstant(instant).slice(11, -1)
  return [
    ...outcomes.map(({ decision, outcome, reason }) => `${time(decision.nominal)} ${outcome} ${reason}`),
    ...(unseen ? [`${unseen.missed.length} unseen from ${time(unseen.missed[0]!)}`] : []),
    ...(start ? [`start ${time(start.nominal)}`] : []),
    ...(replace ? [`replace for ${time(replace.nominal)}`] : []),
    ...(queue ? [`queue ${time(queue.nominal)}`] : []),
    ...(wakeAt === undefined ? [] : [`wake ${time(wakeAt)}`]),
  ].join(', ')
}

const ALLOW = '@policy(concurrency=allow,deadline=10m)'
const FORBID = '@policy(concurrency=forbid,deadline=10m)'
const REPLACE = '@policy(concurrency=replace,deadline=10m)'
const RUN = { ending: false }
const ENDING = { ending: true }

const TABLE: readonly [what: string, given: TurnInput, answer: string][] = [
  ['before its time a period waits', at('30 12 * * *', NOON), 'wake 12:30:00'],
  ['at its time it starts', at('0 12 * * *', NOON), 'start 12:00:00, wake 12:00:00'],
  [
    'a second late without a deadline it is missed',
    at('0 12 * * *', NOON + 1),
    '12:00:00 missed deadline, wake 12:00:00',
  ],
  ['a suspended job does nothing', at('0 12 * * * @policy(suspend=true)', NOON + 1), ''],
  [
    'a period without an allowed second ends when its window opens',
    at('0 12 * * * @only(hours=3)', NOON),
    '12:00:00 unschedulable constraints, wake 12:00:00',
  ],
  ['and waits for that', at('1 12 * * * @only(hours=3)', NOON), 'wake 12:01:00'],
  [
    'forbid skips while a run is active',
    at(`0 * * * * ${FORBID}`, NOON, { active: [RUN] }),
    '12:00:00 skipped concurrency, wake 13:00:00',
  ],
  [
    'forbid skips while another start is under way',
    at(`* * * * * ${FORBID}`, NOON + MINUTE, { attempts: [{ phase: 'intended', nominal: NOON }] }),
    '12:01:00 skipped concurrency, wake 12:02:00',
  ],
  [
    'allow starts the earliest of several',
    at(`* * * * * ${ALLOW}`, NOON + MINUTE, { active: [RUN] }),
    'start 12:00:00, wake 12:02:00',
  ],
  [
    'a start under way is left alone and the next period is judged',
    at(`* * * * * ${ALLOW}`, NOON + MINUTE, { attempts: [{ phase: 'intended', nominal: NOON }] }),
    'start 12:01:00, wake 12:02:00',
  ],
  [
    'without room a period queues',
    at(`0 * * * * ${ALLOW}`, NOON, { room: false }),
    'queue 12:00:00, wake 13:00:00',
  ],
  [
    'a queued period waits until its deadline',
    at(`0 * * * * ${ALLOW}`, NOON, { room: false, attempts: [{ phase: 'queued', nominal: NOON }] }),
    'wake 12:10:01',
  ],
  [
    'a queued period starts when there is room',
    at(`0 * * * * ${ALLOW}`, NOON + 600, { attempts: [{ phase: 'queued', nominal: NOON }] }),
    'start 12:00:00, wake 12:10:01',
  ],
  [
    'another queued period is no run: the earlier one starts although runs may not overlap',
    at(`* * * * * ${FORBID}`, NOON + MINUTE, {
      attempts: [
        { phase: 'queued', nominal: NOON },
        { phase: 'queued', nominal: NOON + MINUTE },
      ],
    }),
    'start 12:00:00, wake 12:02:00',
  ],
  [
    'a queued period past its deadline is missed for the queue',
    at(`0 * * * * ${ALLOW}`, NOON + 601, { room: false, attempts: [{ phase: 'queued', nominal: NOON }] }),
    '12:00:00 missed queue, wake 13:00:00',
  ],
  [
    'a replacement whose old run has not ended is missed because of that run, also if there is no place',
    at(`0 * * * * ${REPLACE}`, NOON + 901, {
      room: false,
      active: [ENDING],
      attempts: [{ phase: 'replacing', nominal: NOON }],
    }),
    '12:00:00 missed replace, wake 13:00:00',
  ],
  [
    'a refused start waits for its next try',
    at(`0 * * * * ${ALLOW}`, NOON + 5, {
      attempts: [{ phase: 'retrying', nominal: NOON, retryAt: NOON + 9 }],
    }),
    'wake 12:00:09',
  ],
  [
    'and is tried then',
    at(`0 * * * * ${ALLOW}`, NOON + 9, {
      attempts: [{ phase: 'retrying', nominal: NOON, retryAt: NOON + 9 }],
    }),
    'start 12:00:00, wake 12:10:01',
  ],
  [
    'a refused start past its deadline is missed even before its next try',
    at(`0 * * * * ${ALLOW}`, NOON + 601, {
      attempts: [{ phase: 'retrying', nominal: NOON, retryAt: NOON + HOUR }],
    }),
    '12:00:00 missed deadline, wake 13:00:00',
  ],
  [
    'a blocked job waits for the end of the block or of the deadline',
    at(`0 * * * * ${ALLOW}`, NOON, { notBefore: NOON + 5 }),
    'wake 12:00:05',
  ],
  [
    'a block that ends before the next period is due wakes nobody',
    at(`30 12 * * * ${ALLOW}`, NOON, { notBefore: NOON + 5 }),
    'wake 12:30:00',
  ],
  [
    'a blocked job ends no active run',
    at(`0 * * * * ${REPLACE}`, NOON, { notBefore: NOON + 5, active: [RUN] }),
    'wake 12:00:05',
  ],
  [
    'a blocked job misses and skips all the same',
    at(`* * * * * @policy(concurrency=forbid)`, NOON + MINUTE, { notBefore: NOON + 90, active: [RUN] }),
    '12:00:00 missed deadline, 12:01:00 skipped concurrency, wake 12:01:01',
  ],
  [
    'replace ends the active runs',
    at(`0 * * * * ${REPLACE}`, NOON, { active: [RUN] }),
    'replace for 12:00:00, wake 13:00:00',
  ],
  [
    'a replacement waits while they end',
    at(`0 * * * * ${REPLACE}`, NOON + 20, {
      active: [ENDING],
      attempts: [{ phase: 'replacing', nominal: NOON }],
    }),
    'wake 12:15:01',
  ],
  [
    'a replacement starts when they are gone, after its deadline if need be',
    at(`0 * * * * ${REPLACE}`, NOON + 900, { attempts: [{ phase: 'replacing', nominal: NOON }] }),
    'start 12:00:00, wake 12:15:01',
  ],
  [
    'a replacement that cannot finish is missed five minutes after its deadline',
    at(`0 * * * * ${REPLACE}`, NOON + 901, {
      active: [ENDING],
      attempts: [{ phase: 'replacing', nominal: NOON }],
    }),
    '12:00:00 missed replace, wake 13:00:00',
  ],
  [
    'a replacement of a blocked job waits for the end of the block',
    at(`0 * * * * ${REPLACE}`, NOON, {
      notBefore: NOON + 5,
      attempts: [{ phase: 'replacing', nominal: NOON }],
    }),
    'wake 12:00:05',
  ],
  [
    'and starts in the second in which the block ends',
    at(`0 * * * * ${REPLACE}`, NOON + 5, {
      notBefore: NOON + 5,
      attempts: [{ phase: 'replacing', nominal: NOON }],
    }),
    'start 12:00:00, wake 12:15:01',
  ],
  [
    'a replacement without room keeps waiting',
    at(`0 * * * * ${REPLACE}`, NOON + 5, { room: false, attempts: [{ phase: 'replacing', nominal: NOON }] }),
    'wake 12:15:01',
  ],
  [
    'a replacement whose old run is gone, but which got no place, is missed because of the queue',
    at(`0 * * * * ${REPLACE}`, NOON + 901, {
      room: false,
      attempts: [{ phase: 'replacing', nominal: NOON }],
    }),
    '12:00:00 missed queue, wake 13:00:00',
  ],
  [
    'a replacement that waits hides no later period',
    at(`* * * * * ${REPLACE}`, NOON + MINUTE, {
      active: [ENDING],
      attempts: [{ phase: 'replacing', nominal: NOON }],
    }),
    'replace for 12:01:00, wake 12:02:00',
  ],
  [
    'of two replacements the earlier starts first',
    at(`* * * * * ${REPLACE}`, NOON + 70, {
      attempts: [
        { phase: 'replacing', nominal: NOON + MINUTE },
        { phase: 'replacing', nominal: NOON },
      ],
    }),
    'start 12:00:00, wake 12:02:00',
  ],
  [
    'the later one then ends the run of the earlier',
    at(`* * * * * ${REPLACE}`, NOON + 70, {
      handled: { through: NOON, above: [], firstSeen: NOON - HOUR },
      active: [RUN],
      attempts: [{ phase: 'replacing', nominal: NOON + MINUTE }],
    }),
    'replace for 12:01:00, wake 12:02:00',
  ],
  [
    'catching up starts the last of the late periods',
    at(`* * * * * ${ALLOW}`, NOON + 150, { catchingUp: true }),
    '12:00:00 missed superseded, 12:01:00 missed superseded, start 12:02:00, wake 12:03:00',
  ],
  [
    'catching up collapses refused and queued periods, too',
    at(`* * * * * ${ALLOW}`, NOON + 150, {
      catchingUp: true,
      attempts: [
        { phase: 'retrying', nominal: NOON, retryAt: NOON + 150 },
        { phase: 'queued', nominal: NOON + MINUTE },
      ],
    }),
    '12:00:00 missed superseded, 12:01:00 missed superseded, start 12:02:00, wake 12:03:00',
  ],
  [
    'catching up supersedes neither a start under way nor a replacement',
    at(`* * * * * ${ALLOW}`, NOON + 150, {
      catchingUp: true,
      attempts: [
        { phase: 'intended', nominal: NOON },
        { phase: 'replacing', nominal: NOON + MINUTE },
      ],
    }),
    'start 12:02:00, wake 12:03:00',
  ],
  [
    'after downtime a single further period is counted, too',
    at('* * * * *', NOON + MINUTE + 30, { catchingUp: true }),
    '12:01:00 missed deadline, 1 unseen from 12:00:00, wake 12:02:00',
  ],
  [
    'after downtime the last closed period is named and the others are counted',
    at('* * * * *', NOON + 4 * MINUTE + 30, { catchingUp: true }),
    '12:04:00 missed deadline, 4 unseen from 12:00:00, wake 12:05:00',
  ],
  [
    'an attempt at a period that the schedule no longer has is not judged',
    at(`30 12 * * * ${ALLOW}`, NOON, { attempts: [{ phase: 'queued', nominal: NOON }] }),
    'wake 12:30:00',
  ],
]

describe('a turn of the period machine', () => {
  for (const [what, given, answer] of TABLE) test(what, () => assert.equal(line(turn(given)), answer))

  test('the watermark does not pass a replacement that still waits', () => {
    const attempts = [{ phase: 'replacing', nominal: NOON }] as const
    const given = at('* * * * * @policy(concurrency=replace)', NOON + 4 * MINUTE, {
      active: [ENDING],
      attempts,
    })
    const { outcomes, handled } = turn(given)
    assert.equal(outcomes.length > 0, true)
    assert.equal(handled.through < NOON, true)
  })

  test('a year of downtime is counted up to a bound', () => {
    const year = at('* * * * *', NOON + 365 * 86_400 + 30, { catchingUp: true })
    const { missed, more } = turn(year).unseen!
    assert.deepEqual([missed.length, missed[0], more], [1_000, year.now - 30 - 1_000 * MINUTE, true])
    assert.equal(turn(at('* * * * *', NOON + 150, { catchingUp: true })).unseen!.more, false)
  })

  test('periods with one chosen second are judged in the order of their nominal times', () => {
    const schedule = '* * * * * @win(after,2m)'
    const job = jobOf(schedule)
    const chosenOf = (nominal: number): number => decide(job, nominal).chosen!
    let first = NOON
    while (chosenOf(first) !== chosenOf(first + MINUTE)) first += MINUTE
    const given = at(schedule, first + HOUR, {
      handled: { through: first - 1, above: [], firstSeen: NOON - HOUR },
      attempts: [
        { phase: 'queued', nominal: first + MINUTE },
        { phase: 'queued', nominal: first },
      ],
    })
    const ended = turn(given).outcomes.map(each => each.decision.nominal)
    assert.deepEqual(ended.slice(0, 2), [first, first + MINUTE])
  })
})
