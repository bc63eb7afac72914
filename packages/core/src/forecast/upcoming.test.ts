import assert from 'node:assert/strict'
import { test } from 'node:test'
import { instant, jobOf } from '@kron/testkit/reading'
import fc from 'fast-check'
import { next } from '../cron/search.ts'
import { type Decision, decide, triggerOf } from '../decision/decision.ts'
import { printInstant } from '../time/instant.ts'
import { upcoming } from './upcoming.ts'

const START = instant('2026-03-28T12:00:00Z')

test('decisions come in the order in which they ask for attention, none left out', () => {
  const text = fc.constantFrom(
    '*/5 * * * * @win(after,2h)',
    '*/5 * * * * @win(around,3h) @dist(exponential)',
    '0 * * * * @win(before,5h) @avoid(hours=3)',
    '30 2 * * * @tz(Europe/Paris) @win(after,100h)',
  )
  fc.assert(
    fc.property(text, fc.nat(1_000_000), (schedule, later) => {
      const job = jobOf(schedule)
      const from = START + later
      const found: Decision[] = []
      for (const decision of upcoming(job, from)) {
        found.push(decision)
        if (found.length === 50) break
      }
      const last = triggerOf(found.at(-1)!)
      const expected: Decision[] = []
      let nominal = next(job.schedule.cron, job.schedule.zone, from - 400_000)
      while (nominal !== undefined && nominal < last + 400_000) {
        const decision = decide(job, nominal)
        if (triggerOf(decision) >= from) expected.push(decision)
        nominal = next(job.schedule.cron, job.schedule.zone, nominal)
      }
      expected.sort((a, b) => triggerOf(a) - triggerOf(b) || a.nominal - b.nominal)
      assert.deepEqual(found, expected.slice(0, 50))
    }),
    { numRuns: 60, seed: 1 },
  )
})

test('the decisions end where time does', () => {
  const job = jobOf('0 0 1 1 * @win(after,1h)')
  const nominals = [...upcoming(job, instant('2199-06-01T00:00:00Z'))].map(each => printInstant(each.nominal))
  assert.deepEqual(nominals, ['2200-01-01T00:00:00Z', '2201-01-01T00:00:00Z'])
})

test('a decision of this very second is still to come', () => {
  const [first] = upcoming(jobOf('0 12 * * *'), START)
  assert.equal(first!.nominal, START)
  const [next] = upcoming(jobOf('0 12 * * *'), START + 1)
  assert.equal(next!.nominal, START + 86_400)
})

test('where time ends none is left out, though windows overlap', () => {
  const job = jobOf('0 0 * * * @win(after,240h)')
  const from = instant('2200-12-20T00:00:00Z')
  const last = instant('2201-01-01T00:00:00Z')
  const owed: number[] = []
  for (let nominal = from - 10 * 86_400; nominal <= last; nominal += 86_400) {
    if (decide(job, nominal).chosen! >= from) owed.push(nominal)
  }
  const found = [...upcoming(job, from)].map(each => each.nominal)
  assert.deepEqual(found.toSorted(), owed)
  assert.ok(found.length > 13)
})
