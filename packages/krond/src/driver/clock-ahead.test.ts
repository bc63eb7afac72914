import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decide } from '@kron/core'
import { assertNoneTwice, job, machineWith, outcomes, T0 } from '@kron/testkit/krond/conformance/scenario'

const HOUR = 3_600
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

test('a start that is under way while the clock jumps further ahead is not owed again when the clock is right', async () => {
  for (const policy of ['deadline=0s', 'deadline=10m', 'deadline=10m,concurrency=allow']) {
    const machine = await machineWith([job(`* * * * * @policy(${policy})`)])
    await machine.run(75)
    machine.jump(HOUR)
    await machine.run(62)
    const held: (() => void)[] = []
    const start = machine.shims.start.bind(machine.shims)
    machine.shims.start = (...given) => void held.push(() => start(...given))
    await machine.run(61)
    machine.jump(HOUR)
    await machine.run(3)
    machine.shims.start = start
    for (const release of held) release()
    await machine.run(61)
    const ofFirstHour = machine.ran().filter(each => /T01:0[1-3]/.test(each))
    assert.ok(held.length > 0 && ofFirstHour.length > 0, `${policy}: ${machine.ran().join(', ')}`)
    machine.jump(-2 * HOUR)
    await machine.run(3 * HOUR)
    assertNoneTwice(machine)
    assert.ok(count(machine.ran(), 'a') > 2 * 60 - 6, `${policy}: ${count(machine.ran(), 'a')} minutes`)
  }
})

test('a clock that jumps ahead in an open window costs no period whose second is yet to come', async () => {
  for (const ahead of [3 * HOUR, 2 * DAY, 365 * DAY]) {
    const machine = await machineWith([job('0 0 * * * @win(after,2h)')])
    const { chosen } = decide(machine.daemon!.driver.jobs.entry(0)!, T0)
    await machine.run(60)
    assert.ok(chosen! > T0 + 5 * 60, 'the second is yet to come')
    machine.jump(ahead)
    await machine.run(70)
    machine.jump(-ahead)
    await machine.run(3 * HOUR)
    assertNoneTwice(machine)
    const all = await outcomes(machine)
    // The latest period that a wrong clock passes is recorded as missed, and stays missed.
    const outcome = ahead < DAY ? 'missed deadline' : 'executed'
    assert.ok(all.includes(`2026-03-01T00:00:00Z ${outcome}`), all.join(', '))
  }
})
