/** Compares import's statements about systemd's timers with systemd's own reading of calendar expressions. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { calendar } from '@kron/testkit/other-schedules'
import fc from 'fast-check'
import { startsOf } from '../../packages/krontab/src/import/equivalence/original.ts'

const FIXED = [
  '*-*-* 02:30',
  '*-*-* *:0/20',
  'Sun *-*-* 02,03:15',
  'daily',
  'weekly',
  '*-*-* 00:00',
  'hourly',
]
const COUNT = 80
/** A step without an end in the date: from some instants systemd 252 leaps over days that from others it finds. */
const UNSTEADY = /\*-\S*\//

/** The next times by systemd, as epoch seconds; undefined for what it refuses, as a step beyond the end. */
function elapses(expression: string, zone: string, from: number): number[] | undefined {
  const { status, stdout } = spawnSync(
    'systemd-analyze',
    ['calendar', `--iterations=${COUNT}`, `--base-time=@${from}`, expression],
    { env: { PATH: process.env['PATH'], TZ: zone, LC_ALL: 'C' }, encoding: 'utf8' },
  )
  if (status !== 0) return undefined
  // In UTC there is no second line for it.
  const times =
    zone === 'UTC' ? /(?:elapse|Iter\. #\d+): \w+ (\S+ \S+) UTC/g : /\(in UTC\): \w+ (\S+ \S+) UTC/g
  return [...stdout.matchAll(times)].map(([, time = '']) => Date.parse(`${time.replace(' ', 'T')}Z`) / 1000)
}

/** Whether there was something to compare. */
function agrees(expression: string, zone: string, day: string): boolean {
  const from = Date.parse(`${day}T00:00:00Z`) / 1000
  const theirs = elapses(expression, zone, from)
  if (theirs === undefined) return false
  const until = theirs.length < COUNT ? from + 366 * 86_400 : theirs.at(-1)!
  const ours = [...startsOf({ kind: 'calendar', expression, zone }, from, until)]
  assert.deepEqual(
    ours.slice(0, COUNT).map(at => new Date(at * 1000).toISOString()),
    theirs.map(at => new Date(at * 1000).toISOString()),
    `${expression} in ${zone} from ${day}`,
  )
  return true
}

for (const [zone, ...days] of [
  ['UTC', '2027-12-15'],
  ['Europe/Berlin', '2026-03-28', '2026-10-24'],
  ['America/New_York', '2026-03-07', '2026-10-31'],
  ['Australia/Lord_Howe', '2026-04-03', '2026-10-02'],
] as const) {
  test(`timers in ${zone} elapse when we say, clock changes included`, () => {
    for (const [i, day] of days.entries()) {
      const random = fc.sample(
        calendar.filter(expression => !UNSTEADY.test(expression)),
        { numRuns: 30, seed: 8 + i },
      )
      assert.ok([...FIXED, ...random].filter(expression => agrees(expression, zone, day)).length > 20)
    }
  })
}
