import assert from 'node:assert/strict'
import { test } from 'node:test'
import { job, machineWith, outcomes } from './conformance/scenario.test-support.ts'

const MINUTELY = '* * * * *'

test('a daemon that wakes too late for several periods names the latest of them as missed', async () => {
  const machine = await machineWith([job(MINUTELY)])
  const setTimer = machine.clock.setTimer.bind(machine.clock)
  let late = 200_000
  machine.clock.setTimer = (milliseconds, fire) => {
    const timer = setTimer(milliseconds + late, fire)
    late = 0
    return timer
  }
  await machine.run(300)
  const [first, second] = await outcomes(machine)
  assert.deepEqual([first, second], ['2026-03-01T00:03:00Z missed deadline', '2026-03-01T00:04:00Z executed'])
})

test('however a start ended with its daemon, the next daemon names the latest period that passed meanwhile', async () => {
  for (let step = 1; step <= 40; step++) {
    for (const after of [false, true]) {
      const machine = await machineWith([job(MINUTELY)])
      machine.crashAt = machine.steps + step
      machine.crashAfter = after
      await machine.run(40)
      machine.crash()
      machine.crashAt = Number.POSITIVE_INFINITY
      await machine.run(300)
      await machine.boot([job(MINUTELY)])
      await machine.run(1)
      const named = await outcomes(machine)
      const last = '2026-03-01T00:05:00Z missed deadline'
      assert.ok(named.includes(last), `step ${step}, ${after ? 'after' : 'before'} it: ${named.join(', ')}`)
    }
  }
})
