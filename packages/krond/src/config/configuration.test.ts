import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { parseCalendar } from '@kron/calendar'
import { calendarDigests, sameCurve, weightsOf } from '@kron/core'
import { HostZones, Salting } from '@kron/host'
import { makeTzif } from '@kron/testkit/host/zone/tzif'
import { type Configuration, ConfigurationReader } from './configuration.ts'

const job = (name: string): string => `0 4 * * * name=${name} command=/bin/true\n`

const namesOf = ({ entries }: Configuration): string[] => entries.map(entry => entry.name)

/** A directory with one job in each of two files, and a reader that has read it once. */
function twoFiles(t: TestContext): { jobs: string; reader: ConfigurationReader } {
  const directory = mkdtempSync(join(tmpdir(), 'kron-configuration-'))
  t.after(() => rmSync(directory, { recursive: true }))
  const jobs = join(directory, 'jobs')
  mkdirSync(jobs)
  for (const name of ['a', 'b']) write(jobs, name, job(name))
  const { uid, gid } = { uid: process.getuid!(), gid: process.getgid!() }
  const makeCheck = () => () => undefined
  const salting = new Salting({ host: 'here', machine: undefined }, '')
  const reader = new ConfigurationReader({
    paths: [jobs],
    followSymlinks: false,
    salting,
    parseCalendar,
    uid,
    gid,
    makeCheck,
  })
  assert.deepEqual(namesOf(reader.read()), ['a', 'b'])
  return { jobs, reader }
}

const write = (jobs: string, name: string, text: string): void =>
  writeFileSync(join(jobs, `${name}.kron`), text, { mode: 0o644 })

test('a directory that cannot be read any more keeps the jobs that were loaded from it', t => {
  const { jobs, reader } = twoFiles(t)
  renameSync(jobs, `${jobs}-away`)
  for (let time = 0; time < 2; time++) {
    const gone = reader.read()
    assert.deepEqual(namesOf(gone), ['a', 'b'])
    assert.deepEqual(gone.refused, [jobs])
    assert.match(gone.errors[0]!.message, /there is no such file or directory/)
  }
  renameSync(`${jobs}-away`, jobs)
  rmSync(join(jobs, 'a.kron'))
  const back = reader.read()
  assert.deepEqual([namesOf(back), back.errors, back.refused], [['b'], [], []])
})

test('a job file may hold a hundred and fifty thousand jobs', t => {
  const { jobs, reader } = twoFiles(t)
  const count = 150_000
  write(jobs, 'a', Array.from({ length: count }, (_, i) => job(`job-${i}`)).join(''))
  const { entries, errors } = reader.read()
  assert.deepEqual([entries.length, errors], [count + 1, []])
})

test('a file with a mistake keeps the jobs it had before, whole', t => {
  const { jobs, reader } = twoFiles(t)
  write(jobs, 'a', `${job('a')}${job('later')}61 * * * * name=wrong command=/bin/true\n`)
  for (let time = 0; time < 2; time++) {
    const { errors, refused, ...rest } = reader.read()
    assert.deepEqual(namesOf({ errors, refused, ...rest }), ['a', 'b'])
    assert.deepEqual([errors.length, refused], [1, [join(jobs, 'a.kron')]])
  }
  write(jobs, 'a', `${job('a')}${job('later')}`)
  assert.deepEqual(namesOf(reader.read()), ['a', 'later', 'b'])
})

test('a file that has never been without a mistake is left out', t => {
  const { jobs, reader } = twoFiles(t)
  write(jobs, 'c', `${job('c')}nonsense\n`)
  assert.deepEqual(namesOf(reader.read()), ['a', 'b'])
})

test('an update of the zone files reaches the jobs of those zones, and no edited job file', t => {
  const directory = mkdtempSync(join(tmpdir(), 'kron-configuration-'))
  t.after(() => rmSync(directory, { recursive: true }))
  const jobs = join(directory, 'jobs')
  const zoneinfo = join(directory, 'zoneinfo')
  for (const each of [jobs, zoneinfo, join(zoneinfo, 'Asia')]) mkdirSync(each)
  const put = (offset: number): void =>
    writeFileSync(join(zoneinfo, 'Asia/Tokyo'), makeTzif({ offsets: [offset] }))
  put(32_400)
  write(jobs, 'a', `0 4 * * * @tz(Asia/Tokyo) name=a command=/bin/true\n${job('b')}`)
  const { uid, gid } = { uid: process.getuid!(), gid: process.getgid!() }
  const makeCheck = () => () => undefined
  const zones = new HostZones(zoneinfo)
  const reader = new ConfigurationReader({
    paths: [jobs],
    followSymlinks: false,
    uid,
    gid,
    makeCheck,
    zones,
    parseCalendar,
    salting: new Salting({ host: 'here', machine: undefined }, ''),
  })
  const [before, other] = reader.read().entries
  assert.equal(before!.schedule.zone.offsetAt(0), 32_400)
  assert.deepEqual(reader.rezone().changed, [])
  put(36_000)
  write(jobs, 'a', job('c'))
  const { changed, entries } = reader.rezone()
  assert.deepEqual(changed, ['Asia/Tokyo'])
  assert.deepEqual(
    entries.map(each => [each.name, each.schedule.zone.offsetAt(0)]),
    [
      ['a', 36_000],
      ['b', 0],
    ],
  )
  assert.equal(entries[1], other)
  assert.deepEqual(namesOf(reader.read()), ['c'])
})

test('a changed calendar changes the jobs that name it, though no job file changed; a missing one is a mistake', t => {
  const { jobs, reader } = twoFiles(t)
  const line = '0 4 * * * @win(after,1h) @avoid(cal=holidays) name=c command=/bin/true\n'
  write(jobs, 'c', line)
  const missing = reader.read()
  assert.match(missing.errors[0]!.message, /there is no calendar "holidays"/)
  assert.deepEqual(missing.refused, [join(jobs, 'c.kron')])
  mkdirSync(join(jobs, 'calendars'), { mode: 0o755 })
  const calendar = join(jobs, 'calendars/holidays.dates')
  const digestOf = ({ entries, errors }: Configuration): string | undefined => {
    assert.deepEqual(errors, [])
    return calendarDigests(entries.find(entry => entry.name === 'c')!.schedule)?.['holidays']
  }
  writeFileSync(calendar, '2026-12-25\n', { mode: 0o644 })
  const first = reader.read()
  const again = reader.read()
  assert.equal(
    again.entries.find(entry => entry.name === 'c'),
    first.entries.find(entry => entry.name === 'c'),
  )
  writeFileSync(calendar, '2026-12-26\n', { mode: 0o644 })
  const changed = reader.read()
  assert.notEqual(digestOf(changed), digestOf(first))
  assert.equal(
    changed.entries.find(entry => entry.name === 'a'),
    first.entries.find(entry => entry.name === 'a'),
  )
})

test('a changed curve changes the jobs that follow it; without one they spread evenly, with a warning', t => {
  const { jobs, reader } = twoFiles(t)
  write(jobs, 'c', '0 4 * * * @win(after,1h) @dist(weights,file=tariff) name=c command=/bin/true\n')
  const entryOf = ({ entries, errors, refused }: Configuration) => {
    assert.deepEqual([errors, refused], [[], []])
    return entries.find(entry => entry.name === 'c')!
  }
  const missing = reader.read()
  assert.match(missing.warnings[0]!, /there is no file .*tariff\.csv; its jobs spread evenly/)
  assert.equal(weightsOf(entryOf(missing).schedule)!.curve!.steps, 'missing')
  mkdirSync(join(jobs, 'weights'), { mode: 0o755 })
  const curve = join(jobs, 'weights/tariff.csv')
  writeFileSync(curve, '00:00,1\n', { mode: 0o644 })
  const first = reader.read()
  assert.deepEqual(first.warnings, [])
  assert.equal(entryOf(reader.read()), entryOf(first))
  writeFileSync(curve, '00:00,2\n', { mode: 0o644 })
  const changed = reader.read()
  assert.ok(!sameCurve(entryOf(changed).schedule, entryOf(first).schedule))
  assert.equal(
    changed.entries.find(entry => entry.name === 'a'),
    first.entries.find(entry => entry.name === 'a'),
  )
})
