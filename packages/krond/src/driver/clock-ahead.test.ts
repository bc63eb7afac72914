import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertNoneTwice, job, machineWith } from '@kron/testkit/krond/conformance/scenario'

const DAY = 86_400
const LINES = [job('* * * * *', 'minutely'), job('0 * * * *', 'hourly'), job('0 2 * * *', 'daily')]

const count = (ran: readonly string[], name: string): number =>
  ran.filter(each => each.startsWith(`${name} `)).length

// If a jump passes over several periods, the latest of each job is recorded as missed and stays missed.
for (const ahead of [2 * 60, 3 * DAY, 365 * DAY, 3_650 * DAY]) {
  test('a clock that was ahead for 70 s silences no job', async () => {
    const machine = await machineWith(LINES)
    await machine.run(90)
    machine.jump(ahead)
    await machine.run(70)
    machine.jump(-ahead)
    await machine.run(4 * 3_600)
    assertNoneTwice(machine)
    const real = machine.ran().filter(each => each.slice(-20) < '2026-03-01T04:00:00Z')
    // At most the periods of the wrong time are lost.
    assert.ok(count(real, 'minutely') >= 4 * 60 - 6, `${count(real, 'minutely')} minutes`)
    assert.ok(count(real, 'hourly') >= 3, `${count(real, 'hourly')} hours`)
    assert.equal(count(real, 'daily'), 1)
    const told = machine.events.filter(each => each.event === 'periods_reopened')
    assert.equal(told.length, ahead < DAY ? 0 : 1)
  })

  test('a restart with the clock ahead, and one with it right, silences no job', async () => {
    const machine = await machineWith(LINES)
    await machine.run(90)
    machine.crash()
    machine.jump(ahead)
    await machine.boot([...LINES, job('30 * * * *', 'new')])
    await machine.run(70)
    machine.crash()
    machine.jump(-ahead)
    await machine.boot([...LINES, job('30 * * * *', 'new')])
    await machine.run(4 * 3_600)
    assertNoneTwice(machine)
    const real = machine.ran().filter(each => each.slice(-20) < '2026-03-01T04:00:00Z')
    assert.ok(count(real, 'minutely') >= 4 * 60 - 6, `${count(real, 'minutely')} minutes`)
    assert.ok(count(real, 'hourly') >= 3, `${count(real, 'hourly')} hours`)
    assert.ok(count(real, 'new') >= 3, `${count(real, 'new')} of the job that came meanwhile`)
    assert.equal(count(real, 'daily'), 1)
  })
}
