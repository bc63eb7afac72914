import assert from 'node:assert/strict'
import { test } from 'node:test'
import { job, machineWith, outcomes, overwrite, statePath } from '@kron/testkit/krond/conformance/scenario'
import type { Survivor } from '../effects/ports.ts'
import { printShort } from '../log/short.ts'

const LINE = job('* * * * * @policy(deadline=1h)')

const credible: Survivor = {
  identity: '/jobs.kron:a',
  executionId: 'somebody',
  periodId: '2026-03-01T00:00:00Z',
  chosenTime: '2026-03-01T00:00:00Z',
  pid: 77,
  processStart: 1,
}

const STRANGERS: Readonly<Record<string, Survivor>> = {
  'a period that is no time': { ...credible, periodId: 'garbage' },
  'no period': { ...credible, periodId: '' },
  'a chosen time that is none': { ...credible, chosenTime: 'soon' },
  'a user who cannot be the job’s': { ...credible, mayBeOf: () => false },
  'the identity of another job': { ...credible, identity: '/jobs.kron:b' },
}

/** A machine whose daemon finds a corrupt state and, among its processes, this one. */
async function afterCorruption(survivor: Survivor, isAlive = false) {
  const machine = await machineWith([LINE])
  await machine.run(60)
  await machine.stop()
  await overwrite(machine, statePath('a'), 'spoilt')
  machine.processes.survivors = async () => [survivor]
  if (isAlive) machine.processes.impersonate([survivor])
  await machine.boot([LINE])
  return machine
}

for (const [what, survivor] of Object.entries(STRANGERS)) {
  test(`after a corrupt state a process with ${what} is not adopted, and the next start is none the worse`, async () => {
    const machine = await afterCorruption(survivor)
    assert.ok(!machine.events.some(each => each.event === 'adopted'))
    await machine.run(60)
    await machine.stop()
    await machine.boot([LINE])
    assert.equal(machine.fatal, undefined)
    assert.equal((await machine.state('a'))!.ActiveExecution, null)
    assert.equal((await outcomes(machine)).at(-1), '2026-03-01T00:01:00Z executed')
  })
}

test('after a corrupt state a credible process is adopted', async () => {
  for (const survivor of [credible, { ...credible, mayBeOf: () => true }]) {
    const { events } = await afterCorruption(survivor, true)
    assert.deepEqual(
      events.filter(each => each.event === 'adopted').map(each => [each['pid'], each.periodId]),
      [[77, '2026-03-01T00:00:00Z']],
    )
  }
})

test('the log counts the periods that were missed during downtime without an outcome of their own', async () => {
  const jobs = [
    job('0 * * * * @policy(deadline=5m)', 'hourly'),
    job('* * * * * @policy(deadline=5s)', 'often'),
  ]
  const machine = await machineWith(jobs)
  await machine.run(90)
  machine.crash()
  await machine.run(86_400)
  machine.events.length = 0
  await machine.boot(jobs)
  await machine.run(10)
  const counts = machine.events.flatMap(each =>
    each.event === 'missed_deadline' ? [[each.identity, each.earlierMissed, each.evenMoreMissed]] : [],
  )
  assert.deepEqual(counts.sort(), [
    ['/jobs.kron:hourly', 22, undefined],
    ['/jobs.kron:often', 1_000, true],
  ])
  const lines = machine.events.map(each => printShort(each, '2026-03-02T00:02:00Z') ?? '')
  assert.ok(lines.some(each => / hourly .* missed.*; 22 earlier periods missed, too$/.test(each)))
  assert.ok(lines.some(each => / often .* missed.*; at least 1,000 earlier periods missed, too$/.test(each)))
})
