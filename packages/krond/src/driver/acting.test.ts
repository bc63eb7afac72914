import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addToForecast, emptyForecast } from '@kron/core'
import { activeManualOf, parseJobFile } from '@kron/host'
import { assertNoneTwice, at, job, machineWith, outcomes, T0 } from '@kron/testkit/krond/conformance/scenario'
import type { Machine } from '@kron/testkit/krond/simulation/machine'
import type { TriggerAnswer } from './action.ts'

const IDENTITY = '/jobs.kron:a'
const MINUTELY = '* * * * *'
const DAILY = '0 12 * * *'

/** Asks for a run and lets it begin. */
async function trigger(machine: Machine, requestId = 'request-1'): Promise<TriggerAnswer> {
  const answer = machine.daemon!.actions.trigger({ requestId, identity: IDENTITY, user: 'ada' })
  await machine.run(1)
  return answer
}

const policy = (concurrency: string): string => job(`${DAILY} @policy(concurrency=${concurrency})`)

test('a triggered run is recorded as manual with its user, and handles no period', async () => {
  const machine = await machineWith([job(MINUTELY)])
  const answer = await trigger(machine)
  assert.equal(answer.kind, 'started')
  await machine.run(120)
  assert.deepEqual(answer.kind === 'started' && (await answer.ended).exitCode, 0)
  const state = (await machine.state('a'))!
  assert.deepEqual(
    state.ManualRuns?.map(({ RequestID, User, ExitCode, PeriodID }) => [RequestID, User, ExitCode, PeriodID]),
    [['request-1', 'ada', 0, '']],
  )
  assert.deepEqual(await outcomes(machine), [
    '2026-03-01T00:00:00Z executed',
    '2026-03-01T00:01:00Z executed',
  ])
  const [started] = machine.events.filter(each => each.event === 'started')
  assert.deepEqual([started?.periodId, started?.['user']], ['', 'ada'])
})

test('forbid refuses a manual run while a run is active, and skips a period while a manual run is', async () => {
  const machine = await machineWith([job(`${MINUTELY} @policy(concurrency=forbid)`)])
  machine.processes.behave = () => ({ lives: 90_000 })
  assert.equal((await trigger(machine)).kind, 'started')
  const second = await trigger(machine, 'request-2')
  assert.deepEqual(second.kind === 'refused' && second.reason, 'concurrency')
  await machine.run(40)
  assert.deepEqual(await outcomes(machine), ['2026-03-01T00:00:00Z skipped concurrency'])
})

test('allow runs a manual run beside another; replace ends the active run first', async () => {
  for (const [concurrency, most] of [
    ['allow', 2],
    ['replace', 1],
  ] as const) {
    const machine = await machineWith([policy(concurrency)])
    machine.processes.behave = () => ({ lives: 600_000 })
    machine.processes.lingers = () => 500
    assert.equal((await trigger(machine)).kind, 'started')
    assert.equal((await trigger(machine, 'request-2')).kind, 'started')
    assert.equal(machine.daemon!.driver.runningCount, most, concurrency)
    assert.equal(machine.processes.started.length, 2)
    const reasons = (await machine.state('a'))!.ManualRuns?.map(each => each.Reason)
    assert.deepEqual(reasons, concurrency === 'allow' ? [undefined, undefined] : ['replaced', undefined])
  }
})

test('a period with policy replace ends a manual run', async () => {
  const machine = await machineWith([job(`${MINUTELY} @policy(concurrency=replace)`)])
  machine.processes.behave = () => ({ lives: 600_000 })
  await trigger(machine)
  await machine.run(40)
  assert.deepEqual(
    (await machine.state('a'))!.ManualRuns?.map(each => each.Reason),
    ['replaced'],
  )
  assert.equal(machine.daemon!.driver.runningCount, 1)
})

test('a trigger is refused with a reason: unknown job, no place, refused start, stopping daemon', async () => {
  const machine = await machineWith([policy('allow'), job(MINUTELY, 'b')], { maxConcurrent: 1 })
  const reasonOf = (answer: TriggerAnswer) => (answer.kind === 'refused' ? answer.reason : answer.kind)
  const unknown = await machine.daemon!.actions.trigger({ requestId: 'r', identity: '/x:y', user: 'ada' })
  assert.equal(reasonOf(unknown), 'unknown_job')
  machine.processes.behave = () => 'refuse'
  assert.equal(reasonOf(await trigger(machine, 'refused')), 'start_failed')
  assert.equal((await machine.state('a'))!.ManualRuns, undefined)
  machine.processes.behave = () => ({ lives: 600_000 })
  assert.equal(reasonOf(await trigger(machine, 'first')), 'started')
  assert.equal(reasonOf(await trigger(machine, 'second')), 'no_room')
  void machine.daemon!.stop('wait')
  assert.equal(reasonOf(await trigger(machine, 'third')), 'stopping')
})

test('a request that is sent twice runs once, also to the next daemon', async () => {
  const line = policy('allow')
  const machine = await machineWith([line])
  machine.processes.behave = () => ({ lives: 600_000 })
  await trigger(machine)
  for (const isNext of [false, true]) {
    if (isNext) {
      machine.crash()
      await machine.boot([line])
      assert.equal(machine.daemon!.driver.runningCount, 1)
    }
    const again = await trigger(machine)
    assert.deepEqual(again.kind === 'refused' && again.reason, 'repeated')
  }
  assert.equal(machine.processes.started.length, 1)
})

test('a crash at every step of a manual run never runs it twice, and the next daemon records its end', async () => {
  const line = policy('forbid')
  let steps = 0
  for (let step = 0; step <= steps; step++) {
    for (const crashAfter of [false, true]) {
      const machine = await machineWith([line])
      const before = machine.steps
      // The first pass has no crash: it counts the steps.
      if (step > 0) machine.crashAt = before + step
      machine.crashAfter = crashAfter
      const request = { requestId: 'request-1', identity: IDENTITY, user: 'ada' }
      void machine.daemon!.actions.trigger(request)
      await machine.run(30)
      if (step === 0) steps = machine.steps - before
      machine.crash()
      machine.spare()
      await machine.boot([line])
      void machine.daemon!.actions.trigger(request)
      await machine.run(30)
      const state = (await machine.state('a'))!
      const at = `step ${step}, ${crashAfter ? 'after' : 'before'} it`
      assert.equal(machine.processes.started.length, 1, at)
      assert.deepEqual(activeManualOf(state), [], at)
      assert.equal(state.ManualRuns?.length, 1, at)
    }
  }
  assert.ok(steps > 4, `${steps} steps`)
})

test('under forbid a manual run and a period due in the same instant never overlap, whenever krond is killed', async () => {
  const line = job(`${MINUTELY} @policy(concurrency=forbid,deadline=30s)`)
  const winners = new Set<string>()
  for (const offsetMs of [-501, -1, 0]) {
    let steps = 0
    for (let step = 0; step <= steps; step++) {
      for (const crashAfter of [false, true]) {
        const machine = await machineWith([line])
        machine.processes.behave = () => ({ lives: 20_000 })
        const before = machine.steps
        if (step > 0) machine.crashAt = before + step
        machine.crashAfter = crashAfter
        const request = { requestId: 'request-1', identity: IDENTITY, user: 'ada' }
        machine.clock.setTimer(30_000 + offsetMs, () => {
          if (!machine.isDead) void machine.daemon!.actions.trigger(request)
        })
        await machine.run(35)
        if (step === 0) steps = machine.steps - before
        machine.crash()
        machine.spare()
        await machine.boot([line])
        void machine.daemon!.actions.trigger(request)
        await machine.run(20)
        const at = `${offsetMs} ms, step ${step}, ${crashAfter ? 'after' : 'before'} it`
        const { started } = machine.processes
        assert.ok(started.length > 0, at)
        for (const { beside } of started) assert.equal(beside, 0, at)
        assertNoneTwice(machine)
        winners.add(started[0]!.periodId === '' ? 'manual' : 'period')
      }
    }
    assert.ok(steps > 4, `${steps} steps`)
  }
  assert.deepEqual(winners, new Set(['manual', 'period']))
})

test('a paused job starts nothing and handles nothing; resumed, it catches up with at most one period', async () => {
  const line = job(`${MINUTELY} @policy(deadline=10m)`)
  const machine = await machineWith([line])
  const paused = await machine.daemon!.actions.pause({ identity: IDENTITY, reason: 'a move', user: 'ada' })
  assert.equal(paused.kind, 'paused')
  await machine.run(300)
  assert.deepEqual(machine.ran(), [])
  assert.deepEqual(await outcomes(machine), [])
  const ended = await machine.daemon!.actions.resume({ identity: IDENTITY })
  assert.deepEqual(
    ended.map(each => each.reason),
    ['a move'],
  )
  await machine.run(1)
  assert.deepEqual(machine.ran(), ['a 2026-03-01T00:04:00Z'])
  await machine.run(60)
  assert.equal(machine.ran().length, 2)
  assertNoneTwice(machine)
})

test('a pause outlives the daemon, and ends at its time', async () => {
  const line = job(MINUTELY)
  const machine = await machineWith([line, job(MINUTELY, 'b')])
  await machine.daemon!.actions.pause({ identity: IDENTITY, until: T0 + 180, reason: '', user: 'ada' })
  await machine.run(60)
  machine.crash(true)
  await machine.boot([line, job(MINUTELY, 'b')])
  assert.equal(machine.daemon!.actions.pauses().length, 1)
  await machine.run(240)
  const ofA = machine.ran().filter(each => each.startsWith('a '))
  assert.deepEqual(ofA, ['a 2026-03-01T00:03:00Z', 'a 2026-03-01T00:04:00Z'])
  assert.deepEqual(machine.daemon!.actions.pauses(), [])
})

test('a planned freeze of all jobs begins and ends by itself; a trigger still runs', async () => {
  const machine = await machineWith([job(MINUTELY)])
  const freeze = { from: T0 + 60, until: T0 + 180, reason: 'release', user: 'ada' }
  assert.equal((await machine.daemon!.actions.pause(freeze)).kind, 'paused')
  await machine.run(100)
  assert.equal((await trigger(machine)).kind, 'started')
  await machine.run(140)
  const periods = machine
    .ran()
    .filter(each => each !== 'a ')
    .map(each => each.slice(-9, -4))
  assert.deepEqual(periods, ['00:00', '00:03'])
})

test('a freeze costs the periods that the forecast says, and no others', async () => {
  for (const [deadline, minutes] of [
    ['0s', 7],
    ['90s', 7],
    ['10m', 7],
    ['3m', 6],
  ] as const) {
    const line = job(`*/2 * * * * @win(after,100s) @policy(concurrency=allow,deadline=${deadline})`)
    const machine = await machineWith([line])
    const freeze = { from: T0 + 60, until: T0 + 60 * minutes }
    await machine.daemon!.actions.pause({ ...freeze, reason: 'release', user: 'ada' })
    await machine.run(15 * 60)
    const { entries } = parseJobFile(`${line}\n`, '/jobs.kron')
    const starts: number[] = []
    const forecast = emptyForecast(T0 - 30, T0 + 870, 30)
    addToForecast(forecast, entries[0]!, { pauses: [freeze], onStart: start => starts.push(start) })
    const state = (await machine.state('a'))!
    const ran = state.History.filter(each => each.Outcome === 'executed').map(each => at(each.StartedAt!))
    assert.deepEqual(ran, starts, deadline)
    assert.ok(starts.length < 7, deadline)
  }
})

test('a pause that cannot be is refused, and a daemon does not start on damaged pauses', async () => {
  const machine = await machineWith([job(MINUTELY)])
  const common = { reason: '', user: 'ada' }
  for (const request of [{ identity: '/x:y' }, { until: T0 - 3_600 }, { from: T0 + 60, until: T0 + 30 }])
    assert.equal((await machine.daemon!.actions.pause({ ...common, ...request })).kind, 'refused')
  await machine.daemon!.actions.pause(common)
  machine.crash()
  const path = '/state/pauses.json'
  const bytes = await machine.disk.read(path)
  await machine.disk.remove(path)
  const file = await machine.disk.create(path, 0o600)
  await file.write(bytes.subarray(0, 40))
  await file.sync()
  await machine.boot([job(MINUTELY)])
  assert.match(machine.fatal?.message ?? '', /pauses.json cannot be used/)
})

test('a forced reset right after the end of a run runs its period again', async () => {
  const machine = await machineWith([job(`${DAILY.replace('12', '0')} @policy(deadline=1h)`)])
  machine.processes.behave = () => ({ lives: 100 })
  const hasEnded = (): boolean => machine.events.some(each => each.event === 'finished')
  while (!hasEnded()) await machine.clock.run(10)
  const reset = machine.daemon!.actions.reset({ identity: IDENTITY, to: T0 - 60, force: true })
  await machine.run(60)
  assert.equal((await reset).kind, 'reset')
  assert.deepEqual(machine.ran(), ['a 2026-03-01T00:00:00Z', 'a 2026-03-01T00:00:00Z'])
})
