/** Compares import's statements about cron with Debian's cron daemon: nights of clock changes, and four months of days. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { nominalStarts } from '@kron/core'
import { schedule } from '@kron/testkit/other-schedules'
import fc from 'fast-check'
import type { Entry } from '../../packages/host/src/job-file/entry.ts'
import { convertCrontab } from '../../packages/krontab/src/import/crontab/crontab.ts'
import { compare, type Original, startsOf } from '../../packages/krontab/src/import/equivalence/original.ts'
import { writeJobFile } from '../../packages/krontab/src/import/job-file.ts'
import { buildClock, type Span, startsOfCron } from './cron.ts'

const program = process.env['KRON_CRON'] ?? '/usr/sbin/cron'
const work = mkdtempSync(join(tmpdir(), 'kron-cron-'))
const clock = buildClock(work)
after(() => rmSync(work, { recursive: true }))

const NIGHTLY = ['30 2 * * *', '0 2 * * *', '59 1 * * *', '0,30 1-3 * * *', '15 2-3/1 * * *', '1 3 * * *']
const AROUND_MIDNIGHT = ['0 0 * * *', '30 0 * * *', '59 23 * * *', '0 1 * * *', '@daily', '@weekly']
const WILDCARD = ['*/20 * * * *', '5 * * * *', '@hourly', '*/30 2 * * *', '40 */2 * * *', '10 *,2 * * *']
const FIXED = [...NIGHTLY, ...AROUND_MIDNIGHT, ...WILDCARD]
const DAYS = [
  '0 4 */2 * 1',
  '0 4 1-31/2 * 1',
  '0 4 *,5 * 1',
  '0 4 5,* * 1',
  '0 4 13 * */2',
  '0 4 13 * 5',
  '0 4 * * 7',
  '0 4 * * 0-7/3',
  '0 4 31 * *',
  '0 4 29 FEB sun',
  '@monthly',
]

const HOUR = 3_600
const at = (text: string): number => Date.parse(text) / 1000
/** A day on either side of a change of the clock. */
const night = (zone: string, change: string): Span => ({
  zone,
  from: at(change) - 24 * HOUR,
  until: at(change) + 24 * HOUR,
})

/** The most starts of one schedule: a daemon that forks for each takes its time. */
const MOST = 60

interface Imported {
  readonly entry: Entry
  readonly original: Original
}

/** Undefined if it is refused, as a schedule that never comes is. */
function imported(text: string, zone: string): Imported | undefined {
  const options = { withUser: false, zone, findUser: () => undefined }
  const pieces = convertCrontab('crontab', `${text} /bin/true\n`, options)
  const { entries } = writeJobFile([{ file: 'crontab', pieces }], '/etc/krond.d/imported.kron')
  const [first] = entries
  return first === undefined ? undefined : { entry: first.entry, original: first.job.original }
}

function randomSchedules(count: number, { zone, from, until }: Span, seed: number): string[] {
  const few = schedule.filter(text => {
    const read = imported(text, zone)
    if (read === undefined) return false
    let starts = 0
    for (const _ of startsOf(read.original, from, until)) if (++starts > MOST) return false
    return starts > 0
  })
  return fc.sample(few, { numRuns: count, seed })
}

const iso = (at: number): string => new Date(at * 1000).toISOString()

/** The entries that only one of two lists has, counted, in the order of time. */
function difference(ours: readonly number[], theirs: readonly number[]): number[] {
  const surplus = new Map<number, number>()
  for (const at of ours) surplus.set(at, (surplus.get(at) ?? 0) + 1)
  for (const at of theirs) surplus.set(at, (surplus.get(at) ?? 0) - 1)
  return [...surplus].flatMap(([at, count]) => Array<number>(Math.abs(count)).fill(at)).sort((a, b) => a - b)
}

function holdsFor(schedules: readonly string[], span: Span): void {
  const { zone, from, until } = span
  const live = startsOfCron(program, clock, work, schedules, span)
  const last = until - 60
  for (const [line, text] of schedules.entries()) {
    const theirs = live.filter(start => start.line === line).map(start => start.at)
    const { entry, original } = imported(text, zone)!
    assert.deepEqual([...startsOf(original, from, last)].map(iso), theirs.map(iso), `our reading of ${text}`)
    const reported = compare(entry, original, from).differences.map(each => each.at)
    const found = difference([...nominalStarts(entry, from, last)], theirs)
    assert.deepEqual(reported.filter(at => at <= last).map(iso), found.map(iso), `the report on ${text}`)
  }
  console.log(`${zone}: ${schedules.length} schedules, ${live.length} starts of cron`)
}

for (const [zone, change] of [
  ['Europe/Berlin', '2026-03-29T01:00:00Z'],
  ['Europe/Berlin', '2026-10-25T01:00:00Z'],
  ['America/New_York', '2026-03-08T07:00:00Z'],
  ['America/New_York', '2026-11-01T06:00:00Z'],
  ['Australia/Lord_Howe', '2026-04-04T15:00:00Z'],
  ['Australia/Lord_Howe', '2026-10-03T15:30:00Z'],
  ['Africa/Cairo', '2026-04-23T22:00:00Z'],
  ['Africa/Cairo', '2026-10-29T21:00:00Z'],
] as const) {
  test(`around the change of ${change} in ${zone} cron starts what we say, and import reports every difference`, () => {
    const span = night(zone, change)
    holdsFor([...FIXED, ...randomSchedules(12, span, 8)], span)
  })
}

test('over four months cron starts random schedules on exactly the days that imported jobs have', () => {
  const span = { zone: 'UTC', from: at('2027-12-15T00:00:00Z'), until: at('2028-04-15T00:00:00Z') }
  holdsFor([...DAYS, ...randomSchedules(40, span, 9)], span)
})
