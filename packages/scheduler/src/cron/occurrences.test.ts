import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findZone, matches, next, parseCron } from '@kron/core'
import fc from 'fast-check'
import { CronOccurrences } from './occurrences.ts'

test('remembering the last answer changes no answer', () => {
  const zone = findZone('Europe/Paris')!
  const cron = parseCron('0,30 1-3 * * *', 'posix')
  assert.ok(cron.ok)
  const from = Date.parse('2026-10-24T00:00:00Z')
  const instants = fc.array(fc.integer({ min: from, max: from + 3 * 86_400_000 }), {
    minLength: 1,
    maxLength: 30,
  })
  const property = fc.property(instants, times => {
    const occurrences = new CronOccurrences(cron.value, zone)
    for (const at of times) {
      const seconds = Math.floor(at / 1000)
      assert.equal(occurrences.after(at), next(cron.value, zone, seconds)! * 1000)
      assert.equal(occurrences.holds(at), matches(cron.value, zone, seconds))
    }
  })
  fc.assert(property)
})
