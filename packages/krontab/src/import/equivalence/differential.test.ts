import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseInstant } from '@kron/core'
import { parseJobFile } from '@kron/host'
import { calendar, schedule } from '@kron/testkit/other-schedules'
import fc from 'fast-check'
import { convertCrontab } from '../crontab/crontab.ts'
import type { Conversion } from '../imported.ts'
import { writeJobFile } from '../job-file.ts'
import { convertTimer } from '../systemd/timer.ts'
import { compare } from './original.ts'

/** Compares the importer's results for random schedules with readers that share no code with the engine. */
const start = parseInstant('2026-01-15T00:00:00Z')
const FROM = start.ok ? start.value : 0

const zone = fc.constantFrom(
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'Australia/Lord_Howe',
  'Africa/Cairo',
  'Asia/Kolkata',
)

function entryOf(conversion: Conversion) {
  const { text, entries } = writeJobFile([conversion], '/etc/krond.d/imported.kron')
  assert.deepEqual(parseJobFile(text, '/x').faults, [])
  return entries[0]
}

test("imported jobs without windows start at exactly the minutes of Debian's cron, clock changes apart", () => {
  fc.assert(
    fc.property(schedule, zone, (fields, zone) => {
      const options = { withUser: false, zone, findUser: () => undefined }
      const imported = entryOf({
        file: 'crontab',
        pieces: convertCrontab('crontab', `${fields} /bin/true\n`, options),
      })
      // Only a schedule that can never run is refused.
      if (imported === undefined) return assert.match(fields, /^\S+ \S+ (?!\*)\S+ \S+ /)
      const { differences } = compare(imported.entry, imported.job.original, FROM)
      assert.deepEqual(
        differences.filter(each => each.because === 'the rules differ'),
        [],
      )
      if (zone === 'UTC' || zone === 'Asia/Kolkata') assert.deepEqual(differences, [])
    }),
    { numRuns: 300, seed: 8 },
  )
})

test('differences at clock changes are reported as such, on both nights of the year', () => {
  const pieces = convertCrontab('crontab', '30 2 * * * /bin/true\n', {
    withUser: false,
    zone: 'Europe/Berlin',
    findUser: () => undefined,
  })
  const { entry, job } = entryOf({ file: 'crontab', pieces })!
  assert.deepEqual(compare(entry, job.original, FROM).differences, [
    // The clock goes from 02:00 to 03:00: cron runs the job of 02:30 at 03:00.
    { at: Date.UTC(2026, 2, 29, 1, 0) / 1000, by: 'original', because: 'the clock is set forward' },
    // 02:30 comes twice: cron runs the job only the first time.
    { at: Date.UTC(2026, 9, 25, 1, 30) / 1000, by: 'kron', because: 'the clock is set back' },
  ])
})

test('a wildcard job follows the clock in cron as it does in Kron, so nothing differs at its changes', () => {
  const pieces = convertCrontab('crontab', '*/20 * * * * /bin/true\n', {
    withUser: false,
    zone: 'Australia/Lord_Howe',
    findUser: () => undefined,
  })
  const { entry, job } = entryOf({ file: 'crontab', pieces })!
  assert.deepEqual(compare(entry, job.original, FROM).differences, [])
})

test('imported timers start at exactly the minutes of their calendar expressions, clock changes apart', () => {
  fc.assert(
    fc.property(calendar, zone, (expression, zone) => {
      const imported = entryOf({
        file: 'x.timer',
        pieces: convertTimer({
          name: 'x.timer',
          timer: [{ path: 'x.timer', text: `[Timer]\nOnCalendar=${expression}\n` }],
          service: [{ path: 'x.service', text: '[Service]\nExecStart=/bin/true\n' }],
          zone,
        }),
      })
      assert.ok(imported, `${expression} was not imported`)
      const { differences } = compare(imported.entry, imported.job.original, FROM)
      assert.deepEqual(
        differences.filter(each => each.because === 'the rules differ'),
        [],
      )
    }),
    { numRuns: 200, seed: 8 },
  )
})
