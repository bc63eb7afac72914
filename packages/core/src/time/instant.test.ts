import assert from 'node:assert/strict'
import { test } from 'node:test'
import { faultsOf, instant, value } from '@kron/testkit/reading'
import fc from 'fast-check'
import { EARLIEST, LATEST, parseInstant, printDate, printInstant } from './instant.ts'

const anInstant = fc.integer({ min: EARLIEST, max: LATEST })

test('an instant is printed as Date prints it, without the fraction', () => {
  fc.assert(
    fc.property(fc.oneof(anInstant, fc.integer({ min: -2_000_000_000, max: -1 })), at => {
      const iso = new Date(at * 1_000).toISOString()
      assert.equal(printInstant(at), iso.replace('.000Z', 'Z'))
      assert.equal(printDate(Math.floor(at / 86_400)), iso.slice(0, 10))
    }),
    { numRuns: 5_000, seed: 1 },
  )
})

test('what is printed is read back', () => {
  fc.assert(
    fc.property(anInstant, at => assert.equal(instant(printInstant(at)), at)),
    { numRuns: 5_000, seed: 2 },
  )
})

test('the limits are the first second of 1970 and the last of 2200', () => {
  assert.equal(printInstant(EARLIEST), '1970-01-01T00:00:00Z')
  assert.equal(printInstant(LATEST), '2200-12-31T23:59:59Z')
})

test('every form of RFC 3339 is read, and a fraction dropped', () => {
  const same = instant('2026-03-01T02:00:00Z')
  const forms = [
    '2026-03-01t02:00:00z',
    '2026-03-01T02:00:00.999999999Z',
    '2026-03-01T03:00:00+01:00',
    '2026-02-28T20:30:00-05:30',
    '2026-03-01T02:00:00+00:00',
    '2026-03-01T02:00:00-00:00',
  ]
  for (const form of forms) assert.equal(instant(form), same, form)
  assert.equal(value(parseInstant('2024-02-29T23:59:59Z')), Date.UTC(2024, 1, 29, 23, 59, 59) / 1_000)
})

test('what is no time is refused as a whole, with an example', () => {
  const wrong = [
    '',
    '2026-03-01',
    '2026-03-01 02:00:00Z',
    '2026-03-01T02:00Z',
    '2026-03-01T02:00:00',
    '2026-13-01T02:00:00Z',
    '2026-00-01T02:00:00Z',
    '2026-02-29T02:00:00Z',
    '2026-03-00T02:00:00Z',
    '2026-03-01T24:00:00Z',
    '2026-03-01T02:60:00Z',
    '2026-03-01T02:00:60Z',
    '2026-03-01T02:00:00+24:00',
    '2026-03-01T02:00:00+01:60',
    '12026-03-01T02:00:00Z',
    '２０２６-03-01T02:00:00Z',
  ]
  for (const text of wrong) {
    assert.deepEqual(faultsOf(parseInstant(text)), [
      {
        category: 'ConfigurationError',
        message: `${JSON.stringify(text)} is not an RFC 3339 time`,
        hint: 'write for example 2026-03-01T02:00:00Z or 2026-03-01T03:00:00+01:00',
        at: 0,
        length: text.length,
      },
    ])
  }
})
