import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { findZone, parseSchedule, runtimeZoneData, UTC } from '@kron/core'
import { makeTzif } from '@kron/testkit/host/zone/tzif'
import { parseJobFile } from '../job-file/parse.ts'
import { Sharing } from '../job-file/sharing.ts'
import { HostZones } from './host-zones.ts'

/** A directory of zones: Europe/Paris shifted by an hour, and a zone that no runtime knows. */
function zoneinfo(t: TestContext): string {
  const directory = mkdtempSync(join(tmpdir(), 'kron-zones-'))
  t.after(() => rmSync(directory, { recursive: true }))
  for (const region of ['Europe', 'America', 'Asia']) mkdirSync(join(directory, region))
  writeFileSync(
    join(directory, 'tzdata.zi'),
    '# version 2031x\n# This zic input file is in the public domain.\n',
  )
  writeFileSync(join(directory, 'Europe/Paris'), makeTzif({ offsets: [7_200] }))
  writeFileSync(join(directory, 'America/Newly_Made'), makeTzif({ offsets: [-10_800] }))
  return directory
}

test('zones come from the files of the host, the others from the runtime', t => {
  const zones = new HostZones(zoneinfo(t))
  assert.equal(zones.source(), 'tzdata 2031x')
  const paris = zones.find('Europe/Paris')!
  assert.deepEqual([paris.name, paris.source, paris.offsetAt(0)], ['Europe/Paris', 'tzdata 2031x', 7_200])
  assert.equal(zones.find('America/Newly_Made')?.offsetAt(0), -10_800)
  assert.equal(zones.find('Europe/Berlin'), findZone('Europe/Berlin'))
  assert.equal(zones.find('Europe/Berlin')?.source, runtimeZoneData())
  assert.equal(zones.find('UTC'), UTC)
  assert.equal(zones.find('Mars/Phobos'), undefined)
  assert.equal(zones.find('Europe/Paris'), paris)
})

test('without files everything comes from the runtime', () => {
  for (const zones of [new HostZones(undefined), new HostZones('/nonexistent')]) {
    assert.equal(zones.source(), runtimeZoneData())
    assert.equal(zones.find('Europe/Paris'), findZone('Europe/Paris'))
  }
})

test('a job file finds zones that only the host knows', t => {
  const line = '0 2 * * * @tz(America/Newly_Made) name=a command=/bin/true'
  const sharing = new Sharing(new HostZones(zoneinfo(t)).find)
  const [entry] = parseJobFile(line, '/a.kron', { sharing }).entries
  assert.equal(entry?.schedule.zone.source, 'tzdata 2031x')
  assert.equal(parseJobFile(line, '/a.kron', { sharing: new Sharing(findZone) }).faults.length, 1)
  assert.equal(parseSchedule('0 2 * * * @tz(America/Newly_Made)').ok, false)
})

test('an unusable file is named with its reason, and the runtime stands in', t => {
  const directory = zoneinfo(t)
  writeFileSync(join(directory, 'Europe/Rome'), 'hello, this is no zone'.repeat(10))
  writeFileSync(join(directory, 'Europe/Madrid'), makeTzif({ offsets: [0] }).subarray(0, 50))
  writeFileSync(join(directory, 'Europe/Vienna'), Buffer.alloc(100_000))
  mkdirSync(join(directory, 'Europe/Oslo'))
  execFileSync('mkfifo', [join(directory, 'Europe/Prague')])
  const zones = new HostZones(directory)
  const why: Readonly<Record<string, RegExp>> = {
    'Europe/Rome': /does not begin with "TZif"/,
    'Europe/Madrid': /ends within a header/,
    'Europe/Vienna': /larger than 65536 bytes/,
    'Europe/Oslo': /not a regular file/,
    'Europe/Prague': /not a regular file/,
  }
  for (const name of Object.keys(why)) assert.equal(zones.find(name), findZone(name))
  assert.equal(zones.unused().length, 5)
  for (const each of zones.unused()) assert.match(each.why, why[each.name]!)
})

test('no name leads out of the directory, and no name is found in another spelling', t => {
  const directory = zoneinfo(t)
  const outside = join(directory, '..', 'Outside')
  writeFileSync(outside, makeTzif({ offsets: [60] }))
  t.after(() => rmSync(outside))
  const zones = new HostZones(directory)
  for (const name of [
    'Europe/../../Outside',
    'Europe/../America/Newly_Made',
    'Europe//Paris',
    'Europe/Paris/',
    './Europe/Paris',
    'europe/paris',
    'tzdata.zi',
    'posix/Europe/Paris',
    'Europe/Paris\0',
    'Europe',
  ])
    assert.equal(zones.find(name), undefined, name)
})

test('a refresh reads the files that were replaced; an unusable new file changes nothing', t => {
  const directory = zoneinfo(t)
  const zones = new HostZones(directory)
  const paris = zones.find('Europe/Paris')!
  const newly = zones.find('America/Newly_Made')!
  assert.deepEqual(zones.refresh(), [])
  assert.equal(zones.find('Europe/Paris'), paris)
  writeFileSync(join(directory, 'tzdata.zi'), '# version 2031y\n')
  writeFileSync(join(directory, 'Europe/Paris'), makeTzif({ offsets: [10_800] }))
  assert.deepEqual(zones.refresh(), ['Europe/Paris'])
  const after = zones.find('Europe/Paris')!
  assert.deepEqual([after.offsetAt(0), after.source], [10_800, 'tzdata 2031y'])
  assert.equal(zones.find('America/Newly_Made'), newly)
  writeFileSync(join(directory, 'Europe/Paris'), 'half a fi')
  assert.deepEqual(zones.refresh(), [])
  assert.equal(zones.find('Europe/Paris'), after)
  assert.match(zones.unused()[0]!.why, /ends within a header/)
  rmSync(join(directory, 'America/Newly_Made'))
  assert.deepEqual(zones.refresh(), [])
  assert.equal(zones.find('America/Newly_Made'), newly, 'a zone in use stays when its file is gone')
  writeFileSync(join(directory, 'Europe/Paris'), makeTzif({ offsets: [0] }))
  assert.deepEqual(zones.refresh(), ['Europe/Paris'])
  assert.deepEqual(zones.unused(), [])
})
