import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decide } from '@kron/core'
import {
  assertNoneTwice,
  job,
  machineWith,
  outcomes,
  overwrite,
  statePath,
  T0,
} from '@kron/testkit/krond/conformance/scenario'
import type { Machine } from '@kron/testkit/krond/simulation/machine'
import { SWIFT } from '@kron/testkit/krond/simulation/virtual-serve'

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

test('a pause that is planned while a start is prepared, from that second on, is obeyed', async () => {
  const machine = await prepared()
  const from = Math.ceil(machine.clock.now() / 1_000)
  await machine.daemon!.actions.pause({ identity: IDENTITY, reason: '', user: 'ada', from, until: from + 20 })
  await machine.run(5)
  assert.deepEqual(machine.ran(), [])
  assert.equal(await hasIntent(machine), false)
})

test('under replace, a manual run that comes while a start is prepared runs at once, and the period replaces it', async () => {
  const machine = await prepared([job(`${MINUTELY} @policy(concurrency=replace,deadline=30s)`)])
  machine.processes.behave = () => ({ lives: 20_000 })
  let answer: string | undefined
  const triggered = machine.daemon!.actions.trigger({ identity: IDENTITY, requestId: 'r', user: 'ada' })
  void triggered.then(({ kind }) => (answer = kind))
  await machine.run(0.2)
  assert.equal(answer, 'started')
  assert.deepEqual(machine.ran(), ['a '])
  await machine.run(25)
  assert.deepEqual(machine.ran(), ['a ', 'a 2026-03-01T00:00:00Z'])
  assert.deepEqual(await outcomes(machine), ['2026-03-01T00:00:00Z executed'])
})

test('of two periods with one chosen second, the skipped one is recorded at that second, not before', async () => {
  const text = (salt: number): string =>
    job(`* * * * * @win(after,2m) @seed(stable,salt=s${salt}) @policy(concurrency=forbid)`)
  // The first salt with which the periods of 00:00 and 00:01 choose the same second.
  for (let salt = 0; ; salt++) {
    const machine = await machineWith([text(salt)])
    const { jobs } = machine.daemon!.driver
    const chosen = [T0, T0 + 60].map(nominal => decide(jobs.entry([...jobs.slots()][0]!)!, nominal).chosen!)
    if (chosen[0] !== chosen[1]) continue
    machine.processes.behave = () => ({ lives: 30_000 })
    await machine.run(chosen[0]! - T0 + 30 - 0.25)
    assert.equal(await hasIntent(machine), true)
    const ofBoth = async (): Promise<string[]> =>
      (await outcomes(machine)).filter(each => /^2026-03-01T00:0[01]/.test(each))
    assert.deepEqual(await ofBoth(), [])
    await machine.run(40)
    assert.deepEqual(await ofBoth(), [
      '2026-03-01T00:01:00Z skipped concurrency',
      '2026-03-01T00:00:00Z executed',
    ])
    return
  }
})

test('a start that is taken back before it was sent delays no other work', async () => {
  const machine = await machineWith([LINE, job('0 12 * * *', 'b')])
  const { actions } = machine.daemon!
  const { store } = machine
  const record = store!.record.bind(store)
  store!.record = async (identity, seq, event) => {
    if (event.kind === 'intended') void actions.pause({ identity: IDENTITY, reason: '', user: 'ada' })
    return record(identity, seq, event)
  }
  await machine.run((FIRST_MS - 250) / 1_000)
  assert.equal(await hasIntent(machine), false)
  let answer: string | undefined
  const triggered = actions.trigger({ identity: '/jobs.kron:b', requestId: 'r', user: 'ada' })
  void triggered.then(({ kind }) => (answer = kind))
  await machine.run(0.5)
  assert.equal(answer, 'started')
})

test('a start that was on its way to serve when the clock was set back is taken back', async () => {
  const messages = { ...SWIFT, requestDelay: () => 100 }
  const machine = await machineWith([LINE, job('0 12 * * *', 'b')], { messages })
  await machine.run((FIRST_MS - 450) / 1_000)
  assert.equal(await hasIntent(machine), true)
  machine.jump(-3_600)
  // Any message shows krond that the clock was set.
  await machine.daemon!.actions.pause({ identity: '/jobs.kron:b', reason: '', user: 'ada' })
  const hasRun = (): boolean => machine.ran().includes('a 2026-03-01T00:00:00Z')
  await machine.run(2)
  assert.equal(hasRun(), false)
  await machine.run(3_600)
  assert.equal(hasRun(), true)
  assertNoneTwice(machine)
})

test('a state file that is destroyed while a start is prepared: its intent in the journal is withdrawn, or counts', async () => {
  for (const isReboot of [false, true]) {
    const machine = await prepared()
    machine.crash()
    if (isReboot) machine.reboot()
    await overwrite(machine, statePath('a'), 'garbage')
    await machine.boot([LINE])
    await machine.run(20)
    // In another boot nobody can know that nothing ran.
    const ran = isReboot ? [] : ['a 2026-03-01T00:00:00Z']
    assert.deepEqual(machine.ran(), ran)
    const state = await machine.state('a')
    assert.equal(state?.ActiveExecution, null)
    assert.match((await outcomes(machine)).join(), /^2026-03-01T00:00:00Z executed( unknown)?$/)
  }
})
