import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseInstant, printInstant } from '@kron/core'
import { Machine } from '@kron/testkit/krond/simulation/machine'

const at = (text: string): number => {
  const instant = parseInstant(text)
  assert.ok(instant.ok)
  return instant.value
}
const T0 = at('2026-03-01T00:00:00Z')

test('each period of a plain job runs once, in its second', async () => {
  const machine = new Machine({ now: T0 - 30 })
  await machine.boot(['*/5 * * * * name=a command=/bin/true'])
  await machine.run(3_600)
  const { started } = machine.processes
  assert.equal(started.length, 12)
  for (const each of started) assert.equal(printInstant(Math.floor(each.startedAt / 1_000)), each.periodId)
  await machine.stop()
  const state = await machine.state('a')
  assert.equal(state?.LastOutcome, 'executed')
  assert.equal(state?.LastHandledPeriodID, '2026-03-01T00:55:00Z')
  assert.equal(state?.History.length, 12)
  assert.equal(state?.ActiveExecution, null)
})

test('a crash at every step, before and after it, never runs a period twice and loses none that its deadline allows', async () => {
  const lines = ['* * * * * @win(after,30s) @policy(deadline=1h) name=a command=/bin/true']
  const calm = new Machine({ now: T0 - 10 })
  await calm.boot(lines)
  await calm.run(150)
  await calm.stop()
  const steps = calm.steps
  assert.ok(steps > 20, `${steps} steps`)
  for (let step = 1; step <= steps; step++) {
    for (const crashAfter of [false, true]) {
      const machine = new Machine({ now: T0 - 10 })
      machine.crashAt = step
      machine.crashAfter = crashAfter
      await machine.boot(lines)
      await machine.run(150)
      if (!machine.isDead) await machine.stop()
      await machine.boot(lines)
      await machine.run(300)
      await machine.stop()
      const ran = machine.ran()
      assert.equal(new Set(ran).size, ran.length, `twice at step ${step} ${crashAfter}: ${ran.join(', ')}`)
      const state = await machine.state('a')
      assert.equal(state?.ActiveExecution, null, `step ${step}`)
    }
  }
})
