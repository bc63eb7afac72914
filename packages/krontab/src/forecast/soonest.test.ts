import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Decision, type Job, parseSchedule, triggerOf, upcoming } from '@kron/core'
import fc from 'fast-check'
import { soonest } from './soonest.ts'

const heads = [
  '*/7 * * * * @win(after,20m)',
  '0 * * * *',
  '*/20 * * * * @win(around,1h)',
  '0 0 * * * @policy(suspend=true)',
  '0 3 * * * @only(hours=4)',
]
const jobs: Job[] = heads.map((text, i) => {
  const read = parseSchedule(text)
  assert.ok(read.ok)
  return { identity: `/etc/krond.d/a.kron:${i}`, schedule: read.value }
})
const FROM = 1_772_323_200

test('the soonest of many are what sorting all of them would give', () => {
  fc.assert(
    fc.property(fc.shuffledSubarray(jobs), fc.integer({ min: 1, max: 40 }), (some, count) => {
      const all: Decision[] = []
      for (const job of some.filter(each => !each.schedule.policy.suspend)) {
        let left = count
        for (const decision of upcoming(job, FROM)) {
          all.push(decision)
          if (--left === 0) break
        }
      }
      all.sort(
        (a, b) =>
          triggerOf(a) - triggerOf(b) ||
          (a.job.identity < b.job.identity
            ? -1
            : a.job.identity > b.job.identity
              ? 1
              : a.nominal - b.nominal),
      )
      assert.deepEqual(soonest(some, FROM, count), all.slice(0, count))
    }),
    { numRuns: 50 },
  )
})
