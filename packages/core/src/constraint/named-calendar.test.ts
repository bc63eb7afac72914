import assert from 'node:assert/strict'
import { test } from 'node:test'
import { instant, value } from '@kron/testkit/reading'
import fc from 'fast-check'
import { type DecisionRecord, decide, recordOf } from '../decision/decision.ts'
import { differences, recompute } from '../decision/recompute.ts'
import { parsed } from '../error/fault.ts'
import { parseSchedule, parseScheduleHead } from '../schedule/parse.ts'
import { printSchedule, type Schedule } from '../schedule/schedule.ts'
import { plan } from '../turn/plan.ts'
import type { Range } from './clause.ts'
import { allows, rejection } from './constraints.ts'
import {
  type CalendarRanges,
  type NamedCalendar,
  NO_RANGES,
  sameCalendars,
  withCalendars,
} from './named-calendar.ts'

const day = (text: string): number => instant(`${text}T00:00:00Z`) / 86_400
const calendar = (name: string, ranges: Partial<CalendarRanges>, digest = 'd'): NamedCalendar => ({
  name,
  digest,
  ranges: { ...NO_RANGES, ...ranges },
})
function scheduleWith(text: string, ...calendars: readonly NamedCalendar[]): Schedule {
  const { schedule } = parseScheduleHead(text)
  return value(withCalendars(schedule!, name => parsed(calendars.find(each => each.name === name)!)))
}

test('days are those of the job’s zone, instants are everywhere the same, local times are on its clock', () => {
  const days = calendar('x', { days: [[day('2026-12-25'), day('2026-12-25')]] })
  const paris = scheduleWith('0 0 * * * @tz(Europe/Paris) @avoid(cal=x)', days)
  assert.equal(allows(paris.constraints, paris.zone, instant('2026-12-24T22:59:59Z')), true)
  assert.equal(allows(paris.constraints, paris.zone, instant('2026-12-24T23:00:00Z')), false)
  assert.equal(allows(paris.constraints, paris.zone, instant('2026-12-25T23:00:00Z')), true)
  const at = instant('2026-07-01T10:00:00Z')
  const times = scheduleWith(
    '0 0 * * * @tz(Europe/Paris) @only(cal=x)',
    calendar('x', { instants: [[at, at + 59]] }),
  )
  assert.equal(rejection(times.constraints, times.zone, at - 1), 'only cal=x')
  assert.equal(rejection(times.constraints, times.zone, at + 59), undefined)
  const local = scheduleWith(
    '0 0 * * * @tz(Europe/Paris) @avoid(cal=x)',
    calendar('x', { local: [[at, at + 59]] }),
  )
  assert.equal(rejection(local.constraints, local.zone, at - 7_200), 'avoid cal=x')
  assert.equal(rejection(local.constraints, local.zone, at), undefined)
})

test('several calendars of one side add up, and stand beside other clauses', () => {
  const [a, b] = [calendar('a', { days: [[20_000, 20_001]] }), calendar('b', { days: [[20_005, 20_005]] })]
  const { constraints, zone } = scheduleWith('0 0 * * * @only(cal=b;cal=a;hours=3)', a, b)
  const days = [19_999, 20_000, 20_001, 20_002, 20_005]
  assert.deepEqual(
    days.map(each => allows(constraints, zone, each * 86_400 + 3 * 3_600)),
    [false, true, true, false, true],
  )
  assert.equal(allows(constraints, zone, 20_000 * 86_400), false)
})

test('membership is what looking at every range says', () => {
  const ranges = fc
    .uniqueArray(fc.nat(400), { maxLength: 40 })
    .map(ends => ends.sort((x, y) => x - y))
    .map(ends =>
      ends.flatMap((from, i): Range[] =>
        i % 2 === 0 && ends[i + 1] !== undefined ? [[from, ends[i + 1]!]] : [],
      ),
    )
  fc.assert(
    fc.property(ranges, fc.nat(420), (days, at) => {
      const { constraints, zone } = scheduleWith('0 0 * * * @avoid(cal=x)', calendar('x', { days }))
      const inside = days.some(([from, to]) => at >= from && at <= to)
      assert.equal(allows(constraints, zone, at * 86_400 + 5), !inside)
    }),
    { numRuns: 2_000, seed: 1 },
  )
})

test('a calendar is printed by its name, and a bad name is refused', () => {
  const { schedule } = parseScheduleHead('0 0 * * * @avoid(cal=b;cal=a) @only(cal=c)')
  assert.equal(printSchedule(schedule!), '0 0 * * * @only(cal=c) @avoid(cal=a;cal=b)')
  for (const name of ['', '../x', 'a/b', '.x', 'a b', 'x'.repeat(64)])
    assert.equal(parseScheduleHead(`0 0 * * * @avoid(cal=${name})`).schedule, undefined, name)
})

test('where there are no files a calendar is refused, and one that was not found decides nothing', () => {
  const read = parseSchedule('0 0 * * * @avoid(cal=x)')
  assert.match(read.ok ? '' : read.faults[0]!.message, /a calendar is a file/)
  const { schedule } = parseScheduleHead('0 0 * * * @avoid(cal=x)')
  assert.throws(() => decide({ identity: 'a', schedule: schedule! }, 0), /calendar "x" was not read/)
})

test('a schedule without calendars stays itself', () => {
  const plain = value(parseSchedule('0 0 * * * @only(hours=3)'))
  assert.equal(value(withCalendars(plain, () => assert.fail('there is no calendar to look for'))), plain)
})

test('a decision records the digests and is recomputed with the same calendar only', () => {
  const days = { days: [[day('2026-03-02'), day('2026-03-02')]] as Range[] }
  const schedule = scheduleWith('0 12 * * * @win(after,24h) @avoid(cal=x)', calendar('x', days, 'abc'))
  const record = recordOf(decide({ identity: 'a', schedule }, instant('2026-03-01T12:00:00Z')))
  assert.deepEqual(record.calendars, { x: 'abc' })
  const again = (record: DecisionRecord, found: NamedCalendar) =>
    recompute(record, undefined, undefined, () => parsed(found))
  assert.deepEqual(differences(record, value(again(record, calendar('x', days, 'abc')))), [])
  assert.equal(again(record, calendar('x', days, 'other')).ok, false)
  assert.equal(recompute(record).ok, false)
  const without = recordOf(decide({ identity: 'a', schedule: { ...schedule, constraints: {} } }, 0))
  assert.equal('calendars' in without, false)
})

test('schedules differ if a calendar has other content', () => {
  const of = (digest: string) => scheduleWith('0 0 * * * @avoid(cal=x)', calendar('x', {}, digest))
  assert.equal(sameCalendars(of('1'), of('1')), true)
  assert.equal(sameCalendars(of('1'), of('2')), false)
  assert.equal(sameCalendars(of('1'), { ...of('1'), constraints: {} }), false)
})

test('a changed calendar decides unhandled periods anew and leaves handled ones alone', () => {
  const text = '0 * * * * @win(after,30m) @avoid(cal=x)'
  const now = instant('2026-03-02T12:00:00Z')
  const today = day('2026-03-02')
  const [free, closed] = [[], [[today, today]] as Range[]].map(days =>
    scheduleWith(text, calendar('x', { days }, String(days.length))),
  )
  const handled = { through: now - 3_600, above: [], firstSeen: 0 }
  for (const schedule of [free!, closed!]) {
    const planned = plan({ identity: 'a', schedule }, handled, now)
    assert.ok(planned.length > 0)
    for (const { nominal } of planned) assert.ok(nominal > handled.through)
  }
  assert.notEqual(decide({ identity: 'a', schedule: free! }, now).chosen, null)
  assert.equal(decide({ identity: 'a', schedule: closed! }, now).chosen, null)
})
