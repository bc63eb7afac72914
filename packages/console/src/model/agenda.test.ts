import assert from 'node:assert/strict'
import { test } from 'node:test'
import { printInstant } from '@kron/core'
import type { JobRecord, PauseRecord } from '../api/records.ts'
import { agendaOf } from './agenda.ts'

const now = Date.UTC(2030, 0, 2, 2) / 1_000 + 30
const make = (name: string, schedule: string, pause?: PauseRecord): JobRecord =>
  ({
    identity: `/a.kron:${name}`,
    name,
    schedule,
    suspended: false,
    pauses: pause === undefined ? [] : [pause],
    nextTime: null,
  }) as unknown as JobRecord
const pause = { from: printInstant(now + 1_800), until: null } as PauseRecord

test('the next hour lists each job once, soonest first, with all its starts', () => {
  const jobs = [make('often', '*/10 * * * *'), make('daily', '5 2 * * *'), make('far', '0 9 * * *')]
  const { rows, total } = agendaOf(jobs, now, 3_600, 10)
  assert.equal(total, 2)
  assert.deepEqual(
    rows.map(({ job, starts }) => [job.name, starts.map(at => at - now + 30)]),
    [
      ['daily', [300]],
      ['often', [600, 1_200, 1_800, 2_400, 3_000, 3_600]],
    ],
  )
})

test('starts that a planned pause will cost are counted', () => {
  const { rows } = agendaOf([make('often', '*/10 * * * *', pause)], now, 3_600, 10)
  assert.equal(rows[0]?.lost, 3)
})

test('of very many jobs the soonest are shown, and all are counted', () => {
  const jobs = Array.from({ length: 9 }, (_, i) => make(`j${i}`, `${50 - i} 2 * * *`))
  const { rows, total } = agendaOf(jobs, now, 3_600, 2)
  assert.deepEqual(
    rows.map(({ job }) => job.name),
    ['j8', 'j7'],
  )
  assert.equal(total, 9)
})
