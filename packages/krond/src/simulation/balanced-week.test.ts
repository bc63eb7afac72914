import assert from 'node:assert/strict'
import { test } from 'node:test'
import { balance, loadOf } from '@kron/core'
import { changeSalts } from '@kron/host'
import { entriesOf, Machine } from '@kron/testkit/krond/simulation/machine'

const FROM = Date.parse('2026-03-02T00:00:00Z') / 1_000
const WEEK = 7 * 86_400
const SPAN = { from: FROM, to: FROM + WEEK, bucket: 60 }

const LINES = Array.from({ length: 18 }, (_, i) => {
  const schedule = [
    '0 2 * * * @win(after,10m)',
    '*/30 * * * * @win(after,9m)',
    '0 3 * * MON-FRI @win(around,12m)',
  ]
  return `${schedule[i % 3]} @policy(deadline=5m,concurrency=allow) name=job-${i} command=/bin/true`
})

/** Starts per minute of a week in which a daemon ran the lines. */
async function weekOf(lines: readonly string[]): Promise<Uint32Array> {
  const load = new Uint32Array(WEEK / 60)
  const machine = new Machine({ now: FROM - 1 })
  machine.processes.behave = () => ({ lives: 100 })
  await machine.boot(lines)
  await machine.run(WEEK + 1)
  for (const { startedAt } of machine.processes.started) {
    const second = Math.floor(startedAt / 1_000) - FROM
    if (second >= 0 && second < WEEK) load[Math.floor(second / 60)]! += 1
  }
  return load
}

test('a week of krond has the load that balancing foretold', async () => {
  const jobs = entriesOf(LINES).map(job => ({ job, written: '', base: '' }))
  const { before, after, salts } = balance(jobs, written => [written], SPAN)
  assert.ok(loadOf(after).peak < loadOf(before).peak)
  const changed = changeSalts(LINES.join('\n'), new Map(salts.map((salt, i) => [i + 1, salt]))).split('\n')
  assert.deepEqual(await weekOf(LINES), before)
  assert.deepEqual(await weekOf(changed), after)
})
