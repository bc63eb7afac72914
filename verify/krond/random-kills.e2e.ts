import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { Krond } from '@kron/testkit/krond/blackbox/krond'
import { ranTwice } from '@kron/testkit/once/once'

const JOBS = Number(process.env['KRON_E2E_JOBS'] ?? 500)
const SECONDS = Number(process.env['KRON_E2E_SECONDS'] ?? 120)

test(`${JOBS} jobs under random kill -9 for ${SECONDS} s: what the children wrote shows no period twice`, async t => {
  const krond = new Krond(t, { speed: 20 })
  const spread = ['', '@win(after,30s)', '@win(after,3m)', '@win(around,2m)']
  const concurrency = ['allow', 'forbid', 'replace']
  krond.write(
    Array.from({ length: JOBS }, (_, i) =>
      krond.job(
        `*/${1 + (i % 5)} * * * * ${spread[i % 4]} @policy(deadline=10m,concurrency=${concurrency[i % 3]})`,
        `job-${i}`,
        i % 10 === 0 ? `${krond.says}; sleep 2` : krond.says,
      ),
    ),
  )
  const end = Date.now() + SECONDS * 1_000
  let kills = 0
  // However slow the machine is, enough is executed to tell.
  while (Date.now() < end || krond.ran().length <= JOBS) {
    await krond.start()
    await pause(Math.random() * 3_000)
    await krond.stop('SIGKILL')
    kills++
  }
  await krond.start()
  const runs = krond.ran().length
  await krond.eventually(() => krond.ran().length > runs, 'the last daemon to run something')
  assert.equal((await krond.stop()).code, 0, krond.transcript())
  const ran = krond.ran()
  const twice = ranTwice(ran)
  t.diagnostic(`${kills} kills, ${ran.length} executions, ${twice.length} twice`)
  assert.deepEqual(twice, [])
  assert.ok(ran.length > JOBS, `${ran.length} executions`)
  const recorded = new Map<string, string>()
  for (const { event, identity, period_id: period } of krond.log) {
    const outcome = OUTCOME[event]
    if (outcome === undefined) continue
    const key = `${identity} ${period}`
    const before = recorded.get(key)
    assert.ok(before === undefined || before === outcome, `${key} was ${before} and is ${outcome}`)
    recorded.set(key, outcome)
  }
  for (let i = 0; i < JOBS; i++) assert.notEqual(await krond.state(`job-${i}`), undefined)
})

const OUTCOME: Readonly<Record<string, string>> = {
  started: 'executed',
  skipped_concurrency: 'skipped',
  missed_deadline: 'missed',
  constraint_unsatisfiable: 'unschedulable',
}
