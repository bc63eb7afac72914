import assert from 'node:assert/strict'
import { test } from 'node:test'
import { job, machineWith, outcomes } from '@kron/testkit/krond/conformance/scenario'

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

test('a period that waited for a place in vain does not hide the one that passed meanwhile', async () => {
  const machine = await machineWith([job(MINUTELY, 'long'), job(MINUTELY)], { maxConcurrent: 1 })
  machine.processes.behave = () => ({ lives: 70_000 })
  await machine.run(31)
  const setTimer = machine.clock.setTimer.bind(machine.clock)
  // The alarm for 00:01:00 comes late: the place that is freed at 00:01:10 is offered first.
  machine.clock.setTimer = (milliseconds, fire) => setTimer(milliseconds + 20_000, fire)
  await machine.run(240)
  const named = (await outcomes(machine)).filter(each => /T00:0[01]/.test(each))
  assert.deepEqual(named, ['2026-03-01T00:00:00Z missed queue', '2026-03-01T00:01:00Z missed deadline'])
})

test('a start that was judged before a reload does not hide a period that only the new definition has', async () => {
  const machine = await machineWith([job('*/2 * * * * @policy(deadline=5m)')])
  machine.processes.behave = () => ({ lives: 1_000 })
  await machine.run(31)
  const held: (() => void)[] = []
  const start = machine.shims.start.bind(machine.shims)
  machine.shims.start = (...given) => void held.push(() => start(...given))
  await machine.run(120)
  machine.shims.start = start
  await machine.reload([job('* * * * * @win(after,3m) @policy(deadline=5m,concurrency=allow)')])
  for (const go of held) go()
  await machine.run(600)
  const periods = (await outcomes(machine)).map(each => each.slice(14, 16))
  assert.ok(periods.includes('01'), periods.join(', '))
})

test('jobs woken by one alarm are judged at their second, however long the others take', async () => {
  const names = Array.from({ length: 200 }, (_, i) => `job-${i}`)
  for (const concurrency of ['forbid', 'allow', 'replace']) {
    const machine = await machineWith(
      names.map(name => job(`${MINUTELY} @policy(concurrency=${concurrency})`, name)),
    )
    // Under allow and replace, the runs of the first minute still go on in the second.
    machine.processes.behave = () => ({ lives: concurrency === 'forbid' ? 1_000 : 70_000 })
    const setTimer = machine.clock.setTimer.bind(machine.clock)
    // Work that is left over from one round of the event loop resumes two seconds later.
    machine.clock.setTimer = (milliseconds, fire) => setTimer(milliseconds === 0 ? 2_000 : milliseconds, fire)
    await machine.run(115)
    const ran = machine.ran()
    for (const name of names)
      assert.deepEqual(
        ran.filter(each => each.startsWith(`${name} `)),
        [`${name} 2026-03-01T00:00:00Z`, `${name} 2026-03-01T00:01:00Z`],
        concurrency,
      )
  }
})
