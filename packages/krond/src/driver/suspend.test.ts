import assert from 'node:assert/strict'
import { test } from 'node:test'
import { upcoming } from '@kron/core'
import { activeOf } from '@kron/host'
import { assertNoneTwice, at, job, machineWith, outcomes } from '@kron/testkit/krond/conformance/scenario'
import type { Machine } from '@kron/testkit/krond/simulation/machine'

const MINUTE = 60
const HOUR = 3_600
const DAY = 86_400
const LENGTHS = [1, 59, HOUR, DAY, 40 * DAY, 365 * DAY, 3_652 * DAY]

const LINES = [
  job('* * * * *', 'minutely'),
  job('* * * * * @policy(deadline=10m)', 'patient'),
  job('7 * * * *', 'hourly'),
  job('0 2 * * * @win(after,2h)', 'daily'),
]

/** Seconds after which a daemon knows of a suspend: an idle one looks at the clock once a minute. */
const NOTICED = 61

const secondOf = (machine: Machine): number => Math.floor(machine.clock.now() / 1_000)

/** Asserts that every job waits for its first period that comes from now on. */
function assertPlansAreRight(machine: Machine, when: string): void {
  const { driver } = machine.daemon!
  for (const slot of driver.jobs.slots()) {
    const entry = driver.jobs.entry(slot)!
    const after = secondOf(machine)
    const [next] = upcoming(entry, after + 1)
    assert.equal(driver.nextTrigger(slot), next?.chosen, `${entry.name} ${when}`)
  }
}

/** Asserts that the log and the status tell of the suspend. */
function assertIsTold(machine: Machine, seconds: number, when: string): void {
  const jumps = machine.events.filter(each => each.event === 'clock_jump')
  assert.deepEqual(
    jumps.map(each => each['direction']),
    ['forward'],
    when,
  )
  const { byMs } = machine.daemon!.driver.clockJump!
  assert.ok(Math.abs(byMs - seconds * 1_000) < 1_000, `${when}: ${byMs} ms instead of ${seconds} s`)
}

/** The moments at which the machine is suspended. */
const MOMENTS: Readonly<Record<string, (machine: Machine) => Promise<void>>> = {
  'between two runs': machine => machine.run(75),
  'a second before a start': machine => machine.run(89),
  'during a run': async machine => {
    machine.processes.behave = () => ({ lives: 40_000 })
    await machine.run(35)
  },
  'between two tries of a start': async machine => {
    machine.processes.behave = () => 'refuse'
    await machine.run(35)
    machine.processes.behave = () => ({ lives: 1_000 })
  },
}

for (const [moment, reach] of Object.entries(MOMENTS)) {
  test(`a machine that is suspended ${moment} runs nothing twice, and plans right within a minute`, async () => {
    for (const seconds of LENGTHS) {
      const when = `after ${seconds} s, suspended ${moment}`
      const machine = await machineWith(LINES)
      await reach(machine)
      machine.sleep(seconds)
      await machine.run(NOTICED)
      assertPlansAreRight(machine, when)
      assertIsTold(machine, seconds, when)
      await machine.run(5 * MINUTE)
      assertNoneTwice(machine)
    }
  })

  test(`a daemon that is killed after a suspend ${moment} leaves nothing to run twice`, async () => {
    for (const seconds of LENGTHS) {
      for (const until of [0.2, NOTICED]) {
        const when = `after ${seconds} s, suspended ${moment}, killed ${until} s later`
        const machine = await machineWith(LINES)
        await reach(machine)
        machine.sleep(seconds)
        const resumed = secondOf(machine)
        await machine.run(until)
        machine.crash()
        await machine.boot(LINES)
        await machine.run(NOTICED)
        assertPlansAreRight(machine, when)
        await machine.run(5 * MINUTE)
        assertNoneTwice(machine)
        for (const name of ['minutely', 'patient'])
          for (const { StartedAt } of activeOf((await machine.state(name))!))
            assert.ok(at(StartedAt) >= resumed, `${name} still runs since ${StartedAt} ${when}`)
      }
    }
  })
}

test('of the periods in a suspend the latest runs if its deadline allows; those that waited for it are superseded', async () => {
  const machine = await machineWith([
    job('* * * * *', 'minutely'),
    job('* * * * * @policy(deadline=3m)', 'patient'),
  ])
  await machine.run(75)
  machine.sleep(HOUR + 30)
  await machine.run(NOTICED / 2)
  assert.deepEqual(await outcomes(machine, 'minutely'), [
    '2026-03-01T00:00:00Z executed',
    '2026-03-01T01:01:00Z missed deadline',
  ])
  assert.deepEqual(await outcomes(machine, 'patient'), [
    '2026-03-01T00:00:00Z executed',
    '2026-03-01T00:58:00Z missed deadline',
    '2026-03-01T00:59:00Z missed superseded',
    '2026-03-01T01:00:00Z missed superseded',
    '2026-03-01T01:01:00Z executed',
  ])
})

test('a run that goes on after a suspend has one outcome, and its time includes the suspend', async () => {
  const machine = await machineWith([job('0 0 * * *')])
  machine.processes.behave = () => ({ lives: 40_000 })
  await machine.run(35)
  machine.sleep(HOUR)
  await machine.run(2 * MINUTE)
  const [only, ...others] = (await machine.state('a'))!.History
  assert.deepEqual([only?.Outcome, only?.ExitCode, others], ['executed', 0, []])
  assert.equal(Math.round(only!.DurationMs! / 1_000), HOUR + 40)
})
