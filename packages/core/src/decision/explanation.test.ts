import assert from 'node:assert/strict'
import { test } from 'node:test'
import { instant, jobOf } from '@kron/testkit/reading'
import { recordOf } from './decision.ts'
import { explain, explanationRecordOf } from './explanation.ts'

test('every attempt tells its draw, its place, its candidate and what refused it', () => {
  const job = jobOf(
    '0 0 * * * @win(after,2h) @only(hours=1) @avoid(between=01:00-01:29)',
    'host/often-refused1',
  )
  const explanation = explain(job, instant('2026-03-01T00:00:00Z'))
  const { attempts, ...record } = explanationRecordOf(explanation)
  assert.deepEqual(record, recordOf(explanation.decision))
  assert.deepEqual(new Set(attempts.map(each => each.rejectedBy)).size, 3)
  for (const { u, x, offset, candidate, accepted, rejectedBy } of attempts) {
    assert.equal(x, u)
    assert.equal(offset, Math.floor(u * 7_201))
    assert.equal(instant(candidate), instant('2026-03-01T00:00:00Z') + offset)
    const time = candidate.slice(11, 16)
    const expected = !time.startsWith('01')
      ? 'only hours=1'
      : time < '01:30'
        ? 'avoid between=01:00-01:29'
        : undefined
    assert.equal(rejectedBy, expected)
    assert.equal(accepted, expected === undefined)
  }
})

test('an explanation of an unschedulable period holds all 64 attempts', () => {
  const job = jobOf('0 0 * * * @win(after,2h) @dist(normal) @only(hours=9)')
  const { attempts, chosenTime, unschedulable } = explanationRecordOf(
    explain(job, instant('2026-03-01T00:00:00Z')),
  )
  assert.equal(attempts.length, 64)
  assert.equal(chosenTime, null)
  assert.equal(unschedulable, true)
  assert.ok(attempts.every(each => each.rejectedBy === 'only hours=9'))
})

test('an explanation names the clause that refuses the only second of a job without a window', () => {
  const explained = (schedule: string) => {
    const { attempts, chosenTime, rejectedBy } = explanationRecordOf(
      explain(jobOf(schedule), instant('2026-03-01T12:00:00Z')),
    )
    return { attempts, chosenTime, rejectedBy }
  }
  assert.deepEqual(explained('0 12 * * * @only(hours=9)'), {
    attempts: [],
    chosenTime: null,
    rejectedBy: 'only hours=9',
  })
  assert.equal(explained('0 12 * * * @only(hours=12)').rejectedBy, undefined)
  assert.equal(explained('0 12 * * * @win(after,1h) @only(hours=9)').rejectedBy, undefined)
})

test('an explanation survives JSON', () => {
  const record = explanationRecordOf(explain(jobOf('0 0 * * * @win(after,2h) @dist(normal,sigma=1ns)'), 0))
  assert.deepEqual(JSON.parse(JSON.stringify(record)), record)
})
