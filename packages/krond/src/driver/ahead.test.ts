import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertNoneTwice, job, machineWith, outcomes } from '@kron/testkit/krond/conformance/scenario'
import type { Machine } from '@kron/testkit/krond/simulation/machine'

const MINUTELY = '* * * * *'
const IDENTITY = '/jobs.kron:a'
const LINE = job(`${MINUTELY} @policy(deadline=30s)`)

/** Milliseconds from the machine's start to the first period. */
const FIRST_MS = 30_000

/** A machine a quarter of a second before its first period: the start is prepared. */
async function prepared(lines: readonly string[] = [LINE]): Promise<Machine> {
  const machine = await machineWith(lines)
  await machine.run((FIRST_MS - 250) / 1_000)
  assert.deepEqual(machine.ran(), [])
  return machine
}

const hasIntent = async (machine: Machine): Promise<boolean> =>
  (await machine.state('a'))?.ActiveExecution?.PID === 0

test('half a second before its second, the intent of a start is durable; nothing is executed before the second', async () => {
  const machine = await machineWith([LINE])
  await machine.run((FIRST_MS - 501) / 1_000)
  assert.equal(await hasIntent(machine), false)
  await machine.run(0.5)
  assert.equal(await hasIntent(machine), true)
  assert.deepEqual(machine.ran(), [])
  await machine.run(0.001)
  assert.deepEqual(machine.ran(), ['a 2026-03-01T00:00:00Z'])
  await machine.run(20)
  assert.deepEqual(await outcomes(machine), ['2026-03-01T00:00:00Z executed'])
})

test('at the second itself the daemon writes nothing before the command is executed', async () => {
  const machine = await prepared()
  const before = machine.steps
  let stepsAtStart = -1
  const create = machine.processes.create.bind(machine.processes)
  machine.processes.create = request => {
    stepsAtStart = machine.steps
    return create(request)
  }
  await machine.run(1)
  assert.equal(stepsAtStart, before)
})

test('while a start is prepared, the job is due at that second', async () => {
  const machine = await prepared()
  const { driver } = machine.daemon!
  const [slot] = [...driver.jobs.slots()]
  assert.equal(driver.nextTrigger(slot!), machine.clock.now() / 1_000 + 0.25)
})

test('a daemon that dies while a start is prepared has started nothing; the next one starts it within its deadline', async () => {
  const machine = await prepared()
  machine.crash()
  await machine.run(5)
  assert.deepEqual(machine.ran(), [])
  await machine.boot([LINE])
  await machine.run(1)
  assert.deepEqual(machine.ran(), ['a 2026-03-01T00:00:00Z'])
  assertNoneTwice(machine)
})

test('a clock that is set takes prepared starts back: each period starts at its second by the clock as it is now', async () => {
  for (const seconds of [-3_600, -5, -1, 1, 20]) {
    const machine = await prepared()
    const starts: number[] = []
    const create = machine.processes.create.bind(machine.processes)
    machine.processes.create = request => {
      starts.push(machine.clock.now() / 1_000 - request.chosen)
      return create(request)
    }
    machine.jump(seconds)
    await machine.run(3_700)
    assertNoneTwice(machine)
    assert.ok(machine.ran().includes('a 2026-03-01T00:00:00Z'), `after a jump by ${seconds} s`)
    for (const late of starts) assert.ok(late >= 0, `${late} s late after a jump by ${seconds} s`)
  }
})

test('a pause, a new definition and a removal take a prepared start back', async () => {
  const acts: readonly [string, (machine: Machine) => unknown, readonly string[]][] = [
    ['pause', machine => machine.daemon!.actions.pause({ identity: IDENTITY, reason: '', user: 'ada' }), []],
    ['removal', machine => machine.reload([job(MINUTELY, 'other')]), ['other 2026-03-01T00:00:00Z']],
    ['suspension', machine => machine.reload([job(`${MINUTELY} @policy(suspend=true)`)]), []],
    ['change', machine => machine.reload([job('30 * * * *')]), []],
  ]
  for (const [what, act, ran] of acts) {
    const machine = await prepared()
    await act(machine)
    await machine.run(20)
    assert.deepEqual(
      machine.ran().filter(each => !each.startsWith('other 2026-03-01T00:01')),
      ran,
      what,
    )
    assert.equal(await hasIntent(machine), false, what)
  }
})

test('a changed command is executed in the new way, though the old start was prepared', async () => {
  const machine = await prepared()
  const commands: string[] = []
  const create = machine.processes.create.bind(machine.processes)
  machine.processes.create = request => {
    commands.push(request.entry.command)
    return create(request)
  }
  await machine.reload([LINE.replace(/command=.*/, 'command="/bin/echo new"')])
  await machine.run(1)
  assert.deepEqual(commands, ['/bin/echo new'])
})

test('a stop takes prepared starts back and leaves no intent', async () => {
  const machine = await prepared()
  await machine.stop()
  assert.equal(await hasIntent(machine), false)
  await machine.run(2)
  assert.deepEqual(machine.ran(), [])
  await machine.boot([LINE])
  await machine.run(1)
  assert.deepEqual(machine.ran(), ['a 2026-03-01T00:00:00Z'])
})

test('a run that ends just before the next period does not skip that period', async () => {
  const machine = await machineWith([job(`${MINUTELY} @policy(concurrency=forbid)`)])
  machine.processes.behave = () => ({ lives: 59_900 })
  await machine.run(95)
  assert.deepEqual(machine.ran(), ['a 2026-03-01T00:00:00Z', 'a 2026-03-01T00:01:00Z'])
})

test('a planned pause that begins at the second of a period is obeyed', async () => {
  const machine = await machineWith([LINE])
  const from = Math.floor(machine.clock.now() / 1_000) + FIRST_MS / 1_000
  await machine.daemon!.actions.pause({ identity: IDENTITY, reason: '', user: 'ada', from, until: from + 20 })
  await machine.run(35)
  assert.deepEqual(machine.ran(), [])
})
