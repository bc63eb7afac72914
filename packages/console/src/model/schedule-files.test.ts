import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decide, NO_RANGES } from '@kron/core'
import { densityOf } from './density.ts'
import { clockText } from './format.ts'
import { jobOf, periodsIn } from './periods.ts'
import { calendarTimes, needFiles, takeFiles } from './schedule-files.ts'

const AVOIDER = '0 2 * * * @tz(Europe/Paris) @win(after,2h) @avoid(cal=holidays)'
const WEIGHTED = '0 2 * * * @win(after,2h) @dist(weights,file=night)'
const seconds = (text: string): number => Date.parse(text) / 1_000
const christmas = seconds('2026-12-25T00:00:00Z') / 86_400

const take = (directory: string): void =>
  takeFiles({
    calendars: [
      { directory, name: 'holidays', digest: 'a', ranges: { ...NO_RANGES, days: [[christmas, christmas]] } },
    ],
    curves: [
      {
        directory,
        name: 'night',
        digest: 'b',
        steps: { scale: 'day', starts: [0, 10_800], weights: [1, 0], end: 86_400 },
      },
    ],
    zones: [],
  })

test('a job has its calendars and weights once krond has told them, and only those of its directory', () => {
  assert.equal(jobOf('/etc/jobs.kron:a', AVOIDER), undefined)
  take('/etc')
  const avoider = jobOf('/etc/jobs.kron:a', AVOIDER)!
  assert.equal(decide(avoider, seconds('2026-12-25T01:00:00Z')).chosen, null)
  assert.notEqual(decide(avoider, seconds('2026-12-24T01:00:00Z')).chosen, null)
  assert.equal(jobOf('/home/jobs.kron:a', AVOIDER), undefined)
  const weighted = jobOf('/etc/jobs.kron:b', WEIGHTED)!
  assert.deepEqual(densityOf(weighted.schedule, 2, seconds('2026-12-25T02:00:00Z')).map(Math.round), [1, 0])
  take('/elsewhere')
  assert.equal(jobOf('/etc/jobs.kron:a', AVOIDER), undefined, 'nothing of earlier files is kept')
})

test('a day of a calendar is a day in the zone of the job', () => {
  take('/etc')
  const job = jobOf('/etc/jobs.kron:a', AVOIDER)!
  const all = calendarTimes(job, 0, seconds('2030-01-01T00:00:00Z'))
  assert.deepEqual(all, [
    { name: 'holidays', from: seconds('2026-12-24T23:00:00Z'), to: seconds('2026-12-25T22:59:59Z') },
  ])
  assert.deepEqual(calendarTimes(job, 0, seconds('2026-12-24T22:59:59Z')), [])
})

test('files are asked for only if a job needs them', () => {
  const record = (schedule: string) => [{ schedule } as Parameters<typeof needFiles>[0][number]]
  assert.deepEqual(
    [AVOIDER, WEIGHTED, '0 2 * * *'].map(each => needFiles(record(each))),
    [true, true, false],
  )
})

test("jobs and times are those of krond's time zone data, also in zones that the browser does not know", () => {
  const zones = [
    { name: 'America/Asuncion', starts: [0], offsets: [-5 * 3_600], source: 'tzdata 2099z' },
    { name: 'America/Newtown', starts: [0], offsets: [-7 * 3_600], source: 'tzdata 2099z' },
  ]
  takeFiles({ calendars: [], curves: [], zones })
  for (const [name, hour] of [
    ['America/Asuncion', '07'],
    ['America/Newtown', '09'],
  ] as const) {
    const job = jobOf('/etc/jobs.kron:a', `0 2 * * * @tz(${name})`)!
    const [period] = periodsIn(job, seconds('2026-06-01T00:00:00Z'), seconds('2026-06-02T00:00:00Z'), 1)
    assert.equal(period!.nominal, seconds(`2026-06-01T${hour}:00:00Z`))
    assert.equal(clockText(period!.nominal, name), '02:00:00')
  }
  assert.ok(needFiles([{ schedule: '0 2 * * * @tz(America/Asuncion)' } as never]))
})
