import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AT_REBOOT, type Cron, findZone, next, prev } from '@kron/core'
import { parseCrontab } from '@kron/host'
import fc from 'fast-check'
import { cronStarts } from './vixie.ts'

const ZONES = [
  'Europe/Berlin',
  'America/New_York',
  'Australia/Lord_Howe',
  'Antarctica/Troll',
  'Antarctica/Casey',
  'America/Havana',
  'Africa/Cairo',
  'Asia/Kolkata',
]

const NIGHTS = [
  '2026-03-08T00:00:00Z',
  '2026-03-29T00:00:00Z',
  '2026-10-25T00:00:00Z',
  '2026-11-01T00:00:00Z',
  '2026-04-05T00:00:00Z',
  '2026-10-04T00:00:00Z',
  '2026-04-24T00:00:00Z',
  '2023-03-08T18:00:00Z',
]

function cronIn(schedule: string, zone: string): Cron {
  const { entries, faults } = parseCrontab(`${schedule} true\n`, '/spool/ada', {
    owner: 'ada',
    zone: findZone(zone)!,
    windowNs: 0,
    uid: 0,
    findUser: name => ({ name, uid: 1000, gid: 1000, home: '/', shell: '/bin/sh' }),
    listScripts: undefined,
  })
  assert.deepEqual(faults, [], schedule)
  return entries[0]!.schedule.cron
}

function occurrences(cron: Cron, zone: string, after: number, until: number): number[] {
  const found: number[] = []
  const place = findZone(zone)!
  for (let at = next(cron, place, after); at !== undefined && at <= until; at = next(cron, place, at))
    found.push(at)
  return found
}

const field = (least: number, most: number) =>
  fc.oneof(
    fc.constant('*'),
    fc.integer({ min: 2, max: 9 }).map(step => `*/${step}`),
    fc
      .uniqueArray(fc.integer({ min: least, max: most }), { minLength: 1, maxLength: 4 })
      .map(list => list.join(',')),
    fc
      .tuple(fc.integer({ min: least, max: most }), fc.integer({ min: least, max: most }))
      .map(([a, b]) => `${Math.min(a, b)}-${Math.max(a, b)}`),
  )

const schedules = fc
  .tuple(
    field(0, 59),
    fc.oneof({ weight: 3, arbitrary: field(0, 4) }, field(0, 23)),
    field(1, 31),
    fc.constantFrom('*', '3,4,10,11', '*/2'),
    field(0, 6),
  )
  .map(fields => fields.join(' '))

test('a crontab line occurs when a daemon that wakes every minute by Vixie’s rules starts it, around clock changes', () => {
  fc.assert(
    fc.property(schedules, fc.constantFrom(...ZONES), fc.constantFrom(...NIGHTS), (schedule, zone, night) => {
      const after = Date.parse(night) / 1000 - 86_400 * 2
      const until = after + 86_400 * 4
      const cron = cronIn(schedule, zone)
      const theirs = [...new Set(cronStarts(schedule.split(' '), false, zone, after, until))]
      assert.deepEqual(occurrences(cron, zone, after, until), theirs)
    }),
    { numRuns: 400 },
  )
})

test('prev finds the occurrence before every occurrence of a line at fixed times', () => {
  fc.assert(
    fc.property(schedules, fc.constantFrom(...ZONES), fc.constantFrom(...NIGHTS), (schedule, zone, night) => {
      const after = Date.parse(night) / 1000 - 86_400
      const cron = cronIn(schedule, zone)
      const all = occurrences(cron, zone, after, after + 86_400 * 2).slice(0, 300)
      for (const [i, at] of all.entries()) {
        assert.equal(prev(cron, findZone(zone)!, at), at)
        assert.equal(prev(cron, findZone(zone)!, at + 59), at)
        if (i > 0) assert.equal(prev(cron, findZone(zone)!, at - 1), all[i - 1])
      }
    }),
    { numRuns: 300 },
  )
})

test('a fixed time that the clock skips occurs at the first minute after, and one shown twice occurs once', () => {
  const cron = cronIn('30 2 * * *', 'Europe/Berlin')
  const spring = Date.parse('2026-03-28T12:00:00Z') / 1000
  assert.deepEqual(
    occurrences(cron, 'Europe/Berlin', spring, spring + 86_400).map(at => new Date(at * 1000).toISOString()),
    ['2026-03-29T01:00:00.000Z'],
  )
  const autumn = Date.parse('2026-10-24T12:00:00Z') / 1000
  assert.deepEqual(
    occurrences(cron, 'Europe/Berlin', autumn, autumn + 86_400).map(at => new Date(at * 1000).toISOString()),
    ['2026-10-25T00:30:00.000Z'],
  )
})

test('a schedule @reboot has no occurrence', () => {
  assert.equal(next(AT_REBOOT, findZone('UTC')!, 0), undefined)
})
