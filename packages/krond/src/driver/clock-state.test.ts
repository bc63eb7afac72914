import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ClockJump } from '@kron/runtime'
import { instant } from '@kron/testkit/reading'
import {
  alarmOutdated,
  alarmSet,
  type ClockState,
  type Course,
  dueJobsCatchUp,
  judgingTime,
  jumped,
  movedOn,
  movementSince,
  NEW_CLOCK,
  rang,
  waitingAttemptsCatchUp,
} from './clock-state.ts'
import type { Moment } from './moment.ts'

const NOON = instant('2026-03-28T12:00:00Z')
const OFFSET_MS = 5_000
const COURSES: readonly Course[] = ['steady', 'slipped', 'jumped', 'caughtUp']

const moment = (seconds: number, movedMs = 0): Moment => ({
  wallMs: seconds * 1_000,
  bootMs: 0,
  offsetMs: OFFSET_MS + movedMs,
})
const clockIn = (course: Course): ClockState => ({ ...NEW_CLOCK, course, offsetMs: OFFSET_MS })

const jump = (kind: ClockJump['kind'], next: number | undefined) => (clock: ClockState) =>
  jumped(clock, { kind, by: 3_600_000 }, next, moment(NOON))

const TRANSITIONS: Readonly<Record<string, (clock: ClockState) => ClockState>> = {
  'a message comes': clock => movedOn(clock, moment(NOON)),
  'a message comes after the clock moved forward': clock => movedOn(clock, moment(NOON, 1_000)),
  'a message comes after the clock was set back': clock => movedOn(clock, moment(NOON, -1_000)),
  'the alarm notices a jump forward, and a job is due': jump('forward', NOON),
  'the alarm notices a jump forward, and no job is due yet': jump('forward', NOON + 0.5),
  'the alarm notices a jump forward, and no job waits': jump('forward', undefined),
  'the alarm notices a jump backward': jump('backward', NOON),
  'the alarm rings, and due jobs are left': clock => rang(clock, NOON, NOON, moment(NOON)),
  'the alarm rings, and no due job is left': clock => rang(clock, NOON, NOON + 60, moment(NOON)),
}

test('every event leads from every course of the clock to a known one', () => {
  const table = Object.entries(TRANSITIONS).map(([name, transition]) => [
    name,
    ...COURSES.map(course => transition(clockIn(course)).course),
  ])
  assert.deepEqual(table, [
    ['a message comes', 'steady', 'slipped', 'jumped', 'caughtUp'],
    ['a message comes after the clock moved forward', 'slipped', 'slipped', 'jumped', 'slipped'],
    ['a message comes after the clock was set back', 'steady', 'slipped', 'jumped', 'caughtUp'],
    ['the alarm notices a jump forward, and a job is due', 'jumped', 'jumped', 'jumped', 'jumped'],
    ['the alarm notices a jump forward, and no job is due yet', 'steady', 'steady', 'steady', 'steady'],
    ['the alarm notices a jump forward, and no job waits', 'steady', 'steady', 'steady', 'steady'],
    ['the alarm notices a jump backward', 'steady', 'steady', 'caughtUp', 'steady'],
    ['the alarm rings, and due jobs are left', 'steady', 'steady', 'jumped', 'steady'],
    ['the alarm rings, and no due job is left', 'steady', 'steady', 'caughtUp', 'steady'],
  ])
})

test('due jobs catch up only after a jump, and waiting attempts unless the clock is steady', () => {
  assert.deepEqual(
    COURSES.filter(each => dueJobsCatchUp(clockIn(each))),
    ['jumped'],
  )
  assert.deepEqual(
    COURSES.filter(each => waitingAttemptsCatchUp(clockIn(each))),
    ['slipped', 'jumped', 'caughtUp'],
  )
})

test('a movement of the clock by less than a second is adjustment', () => {
  const movements = [-1_000, -999, 0, 999, 1_000].map(byMs => movementSince(OFFSET_MS, moment(NOON, byMs)))
  assert.deepEqual(movements, ['backward', 'none', 'none', 'none', 'forward'])
  assert.equal(movementSince(undefined, moment(NOON, 3_600_000)), 'none')
})

test('a movement is noticed once: the next message compares with the new offset', () => {
  const slipped = movedOn(NEW_CLOCK, moment(NOON, 2_000))
  assert.equal(slipped.offsetMs, OFFSET_MS + 2_000)
  assert.equal(movementSince(slipped.offsetMs, moment(NOON, 2_000)), 'none')
})

test('jobs that are left, or whose second came meanwhile, are judged at the time of the alarm or of their second', () => {
  /** Rang at `time`; the next job is due at `next` when the clock says `clock`. */
  const rangAt = (time: number, next: number | undefined, clock: number): number | undefined =>
    rang(NEW_CLOCK, time, next, moment(clock)).rangAt
  assert.equal(rangAt(NOON - 0.5, NOON - 0.5, NOON), NOON - 0.5)
  assert.equal(rangAt(NOON - 0.5, NOON, NOON + 3), NOON)
  assert.equal(rangAt(NOON - 0.5, NOON, NOON - 0.1), undefined)
  assert.equal(rangAt(NOON - 0.5, NOON + 0.5, NOON + 3), undefined)
  assert.equal(rangAt(NOON, undefined, NOON), undefined)
})

test('due jobs are judged at the time of the alarm, for ten seconds, and else at the present time', () => {
  const ringing = { ...NEW_CLOCK, rangAt: NOON }
  assert.equal(judgingTime(NEW_CLOCK, moment(NOON + 1)), NOON + 1)
  assert.equal(judgingTime(ringing, moment(NOON + 10)), NOON)
  assert.equal(judgingTime(ringing, moment(NOON + 10.5)), NOON + 10.5)
})

test('a jump ends the time of the alarm and is remembered with its direction', () => {
  const ringing = { ...NEW_CLOCK, rangAt: NOON }
  for (const [kind, byMs] of [
    ['forward', 90_000],
    ['backward', -90_000],
  ] as const) {
    const { rangAt, lastJump } = jumped(ringing, { kind, by: 90_000 }, NOON, moment(NOON + 0.7))
    assert.deepEqual([rangAt, lastJump], [undefined, { at: NOON, byMs }])
  }
})

test('the alarm is set again after a ring, a jump and a look at a job, and not after another message', () => {
  const stale = Object.keys(TRANSITIONS).filter(each => TRANSITIONS[each]!(NEW_CLOCK).alarm === 'stale')
  assert.deepEqual(
    stale,
    Object.keys(TRANSITIONS).filter(each => each.startsWith('the alarm')),
  )
  assert.equal(alarmOutdated(NEW_CLOCK).alarm, 'stale')
  assert.equal(alarmSet(alarmOutdated(NEW_CLOCK)).alarm, 'set')
})
