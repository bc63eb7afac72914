import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { test } from 'node:test'
import { instant } from '@kron/testkit/reading'
import fc from 'fast-check'
import { EARLIEST, LATEST } from '../time/instant.ts'
import { findZone } from '../zone/find.ts'
import { periodKey, seedGenerator, seedMaterial } from './seed.ts'
import { generatorFrom } from './splitmix64.ts'

const ZONES = [
  'UTC',
  'America/Los_Angeles',
  'Asia/Tokyo',
  'Europe/Paris',
  'Asia/Kathmandu',
  'Pacific/Apia',
  'Africa/Cairo',
]

test('the key is the period itself, its local date or its ISO week', () => {
  const losAngeles = findZone('America/Los_Angeles')!
  const nominal = instant('2026-03-01T00:30:00Z')
  assert.equal(periodKey('stable', losAngeles, nominal), '2026-03-01T00:30:00Z')
  assert.equal(periodKey('daily', losAngeles, nominal), '2026-02-28')
  assert.equal(periodKey('weekly', losAngeles, nominal), '2026-W09')
})

test('a week belongs to the year of its Thursday', () => {
  const weeks: Readonly<Record<string, string>> = {
    '2020-12-31': '2020-W53',
    '2021-01-03': '2020-W53',
    '2021-01-04': '2021-W01',
    '2024-12-29': '2024-W52',
    '2024-12-30': '2025-W01',
    '2026-12-31': '2026-W53',
    '2027-01-01': '2026-W53',
    '1970-01-01': '1970-W01',
  }
  for (const [date, week] of Object.entries(weeks)) {
    assert.equal(periodKey('weekly', findZone('UTC')!, instant(`${date}T12:00:00Z`)), week)
  }
})

test('dates and weeks agree with Temporal in every kind of zone', () => {
  fc.assert(
    fc.property(fc.integer({ min: EARLIEST, max: LATEST }), fc.constantFrom(...ZONES), (nominal, name) => {
      const local = Temporal.Instant.fromEpochMilliseconds(nominal * 1_000).toZonedDateTimeISO(name)
      const zone = findZone(name)!
      const week = String(local.weekOfYear).padStart(2, '0')
      assert.equal(periodKey('daily', zone, nominal), local.toPlainDate().toString())
      assert.equal(periodKey('weekly', zone, nominal), `${local.yearOfWeek}-W${week}`)
    }),
    { numRuns: 5_000, seed: 1 },
  )
})

test('the generator is the same whether the platform hashes or we do', () => {
  const zone = findZone('Asia/Kathmandu')!
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('stable', 'daily', 'weekly'),
      fc.nat(LATEST),
      fc.string({ unit: 'binary' }),
      (identity, strategy, at, salt) => {
        const platform = (text: string): string => hash('sha256', text, 'hex')
        const expected = generatorFrom(platform(seedMaterial(identity, periodKey(strategy, zone, at), salt)))
        assert.deepEqual(seedGenerator(identity, { strategy, salt }, zone, at), expected)
        assert.deepEqual(seedGenerator(identity, { strategy, salt }, zone, at, platform), expected)
      },
    ),
    { numRuns: 1_000, seed: 2 },
  )
})

test('a hash that is passed is the one that is used', () => {
  const seen: string[] = []
  const hashed = seedGenerator('a', { strategy: 'stable', salt: 'pepper' }, findZone('UTC')!, 0, text => {
    seen.push(text)
    return '0123456789abcdef'.repeat(4)
  })
  assert.deepEqual(seen, ['a\n1970-01-01T00:00:00Z\npepper'])
  assert.deepEqual(hashed, { high: 0x01234567, low: 0x89abcdef | 0 })
})

test('the seed is the hash of identity, key and salt on three lines', () => {
  assert.equal(
    seedMaterial('prod/db-backup', '2026-03-01T00:00:00Z', ''),
    'prod/db-backup\n2026-03-01T00:00:00Z\n',
  )
  assert.equal(seedMaterial('a', 'k', 'pepper'), 'a\nk\npepper')
})
