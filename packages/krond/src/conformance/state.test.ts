import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { test } from 'node:test'
import { IncompatibleStateError } from '@kron/core'
import { seen } from '@kron/host'
import { type Disk, type DiskFile, nodeDisk, systemClock, VirtualDisk } from '@kron/runtime'
import {
  assertNoneTwice,
  HOURLY,
  job,
  machineWith,
  outcomes,
  overwrite,
  readText,
  statePath,
  T0,
} from '@kron/testkit/krond/conformance/scenario'
import { JOB_FILE, STATE_DIR } from '@kron/testkit/krond/simulation/machine'
import { prepareStateDirectory } from '../store/state-directory.ts'
import { StateStore } from '../store/state-store.ts'

const SOON = `${HOURLY} @policy(deadline=30m)`
const FOREVER = Number.POSITIVE_INFINITY

test('STATE Storage Location: one file per job, named by the SHA-256 of its identity', async () => {
  const machine = await machineWith([job(HOURLY, 'a'), job(HOURLY, 'b')])
  await machine.stop()
  const names = ['a', 'b'].map(name => createHash('sha256').update(`${JOB_FILE}:${name}`).digest('hex'))
  const files = (await machine.disk.list(STATE_DIR)).filter(name => name.endsWith('.json')).sort()
  assert.deepEqual(files, names.map(name => `${name}.json`).sort())
})

test('STATE State File Schema: a single JSON object with the keys of STATE.md, times in RFC 3339 UTC', async () => {
  const machine = await machineWith([job(HOURLY)])
  await machine.run(60)
  await machine.stop()
  const state = JSON.parse(await readText(machine, statePath('a')))
  const { Version, Identity, LastHandledPeriodID, LastOutcome, LastChosenTime, LastNominalTime } = state
  assert.deepEqual([Version, Identity, LastOutcome], ['1', `${JOB_FILE}:a`, 'executed'])
  for (const time of [LastHandledPeriodID, LastChosenTime, LastNominalTime])
    assert.equal(time, '2026-03-01T00:00:00Z')
  assert.equal(state.ActiveExecution, null)
  const { PeriodID, Outcome, NominalTime, ChosenTime, CompletedAt, ExitCode } = state.History[0]
  assert.deepEqual([PeriodID, NominalTime, ChosenTime], Array(3).fill('2026-03-01T00:00:00Z'))
  assert.deepEqual([Outcome, ExitCode, CompletedAt], ['executed', 0, '2026-03-01T00:00:01Z'])
})

test('STATE ActiveExecution: there while an execution runs, gone afterwards', async () => {
  const machine = await machineWith([job(HOURLY)])
  machine.processes.behave = () => ({ lives: 60_000 })
  await machine.run(40)
  const active = (await machine.state('a'))!.ActiveExecution!
  assert.equal(active.PeriodID, '2026-03-01T00:00:00Z')
  assert.equal(active.PID, machine.processes.started[0]!.pid)
  assert.deepEqual([active.StartedAt, active.ChosenTime], Array(2).fill('2026-03-01T00:00:00Z'))
  await machine.run(60)
  assert.equal((await machine.state('a'))!.ActiveExecution, null)
})

test('STATE History: capped by configuration, oldest dropped first', async () => {
  const machine = await machineWith([job('* * * * *')], { history: 3 })
  await machine.run(600)
  await machine.stop()
  const kept = JSON.parse(await readText(machine, statePath('a'))).History
  assert.deepEqual(
    kept.map((each: { PeriodID: string }) => each.PeriodID.slice(14, 16)),
    ['07', '08', '09'],
  )
})

test('STATE Write Semantics: temporary file beside it, fsync, rename, fsync of the directory, in this order', async () => {
  const disk = new VirtualDisk()
  await disk.makeDirectory('', 0o755)
  await disk.makeDirectory('/s', 0o700)
  const calls: string[] = []
  const noted = <T>(call: string, act: () => Promise<T>): Promise<T> => {
    calls.push(call)
    return act()
  }
  const file = (inner: DiskFile): DiskFile => ({
    ...inner,
    write: bytes => noted('write', () => inner.write(bytes)),
    sync: () => noted('fsync', () => inner.sync()),
  })
  const recording: Disk = {
    read: path => disk.read(path),
    stat: path => disk.stat(path),
    list: path => disk.list(path),
    makeDirectory: (path, mode) => disk.makeDirectory(path, mode),
    openToAppend: path => disk.openToAppend(path),
    remove: path => disk.remove(path),
    create: async (path, mode) => {
      calls.push(
        `create ${path.replace(/[0-9a-f]{64}/, 'STATE').replace(/\.\d+-\d+\./, '.')} ${mode.toString(8)}`,
      )
      return file(await disk.create(path, mode))
    },
    rename: (from, to) => noted('rename', () => disk.rename(from, to)),
    syncDirectory: path => noted('fsync directory', () => disk.syncDirectory(path)),
  }
  const store = await StateStore.open({
    disk: recording,
    directory: '/s',
    clock: systemClock,
    history: 5,
    fatal: assert.fail,
  })
  await store.record('/x:a', 1, seen({ through: T0, above: [], firstSeen: T0 }))
  const before = calls.length
  await store.flush()
  const first = calls.findIndex((call, i) => i >= before && call.startsWith('create /s/STATE'))
  assert.deepEqual(calls.slice(first, first + 5), [
    'create /s/STATE.json.tmp 600',
    'write',
    'fsync',
    'rename',
    'fsync directory',
  ])
  await store.close()
})

test('STATE Write Semantics: a power cut at any step leaves a state that can be read', async () => {
  const calm = await machineWith([job('* * * * *')])
  await calm.run(100)
  for (let step = 1; step <= calm.steps; step += 2) {
    const machine = await machineWith([job('* * * * *')], { random: () => (step % 7) / 7 })
    machine.crashAt = machine.steps + step
    await machine.run(100)
    machine.crash(true)
    await machine.boot([job('* * * * *')])
    assert.equal(machine.fatal, undefined, `step ${step}`)
    await machine.stop()
    assert.notEqual(await machine.state('a'), undefined)
    assertNoneTwice(machine)
  }
})

test('STATE Idempotency Rules: a handled period is not executed after a restart', async () => {
  const machine = await machineWith([job(SOON)])
  await machine.run(60)
  await machine.stop()
  await machine.boot([job(SOON)])
  await machine.run(60)
  assert.deepEqual(machine.ran(), ['a 2026-03-01T00:00:00Z'])
})

test('STATE Idempotency Rules: a period that is being executed is not executed after a restart', async () => {
  const machine = await machineWith([job(`${SOON.replace('deadline', 'concurrency=allow,deadline')}`)])
  machine.processes.behave = () => ({ lives: FOREVER })
  await machine.run(60)
  machine.crash()
  await machine.boot([job(`${SOON.replace('deadline', 'concurrency=allow,deadline')}`)])
  await machine.run(60)
  assert.equal(machine.ran().length, 1)
})

test('STATE Crash Recovery: a process that lives is active again', async () => {
  const machine = await machineWith([job(SOON)])
  machine.processes.behave = () => ({ lives: 600_000 })
  await machine.run(60)
  machine.crash()
  await machine.boot([job(SOON)])
  assert.equal(machine.daemon!.driver.runningCount, 1)
  assert.equal(machine.daemon!.driver.running()[0]!.adopted, true)
  await machine.run(900)
  assert.deepEqual(await outcomes(machine), ['2026-03-01T00:00:00Z executed'])
  assert.equal((await machine.state('a'))!.History[0]!.ExitCode, 0)
})

test('STATE Crash Recovery: a process that is gone has the exit code that its shim saw', async () => {
  const machine = await machineWith([job(SOON)])
  machine.processes.behave = () => ({ lives: 50_000, exitCode: 3 })
  await machine.run(60)
  machine.crash()
  await machine.run(60)
  await machine.boot([job(SOON)])
  const state = (await machine.state('a'))!
  assert.equal(state.ActiveExecution, null)
  assert.deepEqual([state.History[0]!.ExitCode, state.History[0]!.Reason], [3, undefined])
})

test('STATE Crash Recovery: a process that went with its shim is completed with an unknown exit code', async () => {
  const machine = await machineWith([job(SOON)])
  machine.processes.behave = () => ({ lives: 50_000, shimDiesAfter: 1_000 })
  await machine.run(60)
  machine.crash()
  await machine.run(60)
  await machine.boot([job(SOON)])
  const state = (await machine.state('a'))!
  assert.equal(state.ActiveExecution, null)
  assert.deepEqual([state.History[0]!.ExitCode, state.History[0]!.Reason], [null, 'unknown'])
})

test('STATE Crash Recovery: after a reboot no PID of before is believed', async () => {
  const machine = await machineWith([job(SOON)])
  machine.processes.behave = () => ({ lives: FOREVER })
  await machine.run(60)
  machine.crash()
  machine.bootId = 'another boot'
  await machine.boot([job(SOON)])
  assert.equal(machine.daemon!.driver.runningCount, 0)
})

test('STATE Period Advancement Rules: after downtime the current period is evaluated, none before it', async () => {
  const line = job('*/10 * * * * @policy(deadline=5m)')
  const machine = await machineWith([line])
  await machine.run(60)
  machine.crash()
  await machine.run(3_600)
  await machine.boot([line])
  await machine.run(5)
  assert.deepEqual(machine.ran(), ['a 2026-03-01T00:00:00Z', 'a 2026-03-01T01:00:00Z'])
})

test('STATE Deadline Interaction: a missed period is recorded with its times and never retried', async () => {
  const line = job(`${HOURLY} @win(after,10m)`)
  const machine = await machineWith([line])
  machine.crash()
  await machine.run(1_800)
  await machine.boot([line])
  await machine.run(600)
  const state = (await machine.state('a'))!
  assert.deepEqual([state.LastHandledPeriodID, state.LastOutcome], ['2026-03-01T00:00:00Z', 'missed'])
  assert.equal(state.LastNominalTime, '2026-03-01T00:00:00Z')
  assert.match(state.LastChosenTime, /^2026-03-01T00:0\d:\d\dZ$/)
  assert.deepEqual(machine.ran(), [])
})

test('STATE Unschedulable Period: recorded with an empty chosen time', async () => {
  const machine = await machineWith([job(`${HOURLY} @win(after,10m) @only(hours=5)`)])
  await machine.run(60)
  const state = (await machine.state('a'))!
  assert.deepEqual([state.LastOutcome, state.LastChosenTime], ['unschedulable', ''])
  assert.deepEqual([state.LastHandledPeriodID, state.LastNominalTime], Array(2).fill('2026-03-01T00:00:00Z'))
})

test('STATE Concurrency Interaction: skipped leaves the active execution alone, replace puts its own there', async () => {
  for (const [policy, outcome, active] of [
    ['forbid', 'skipped', '2026-03-01T00:00:00Z'],
    ['replace', 'executed', '2026-03-01T00:01:00Z'],
  ] as const) {
    const machine = await machineWith([job(`* * * * * @policy(concurrency=${policy})`)])
    machine.processes.behave = () => ({ lives: FOREVER })
    await machine.run(95)
    const state = (await machine.state('a'))!
    assert.deepEqual([state.LastHandledPeriodID, state.LastOutcome], ['2026-03-01T00:01:00Z', outcome])
    assert.equal(state.ActiveExecution?.PeriodID, active)
  }
})

test('STATE State Corruption Handling: a missing file is a new state', async () => {
  const machine = await machineWith([job(HOURLY)])
  assert.equal((await machine.state('a'))!.LastHandledPeriodID, '')
})

test('STATE State Corruption Handling: unreadable JSON is moved aside and a new state begins', async () => {
  const machine = await machineWith([job(SOON)])
  await machine.run(60)
  await machine.stop()
  await overwrite(machine, statePath('a'), '{"Version": "1", "Iden')
  await machine.boot([job(SOON)])
  const moved = (await machine.disk.list(STATE_DIR)).find(name => name.includes('.corrupt.'))
  assert.equal(await readText(machine, `${STATE_DIR}/${moved}`), '{"Version": "1", "Iden')
  assert.deepEqual(await outcomes(machine), ['2026-03-01T00:00:00Z missed state_corrupt'])
})

test('STATE State Corruption Handling: an unknown version, a missing field or a foreign identity is refused', async () => {
  const good = await machineWith([job(SOON)])
  await good.stop()
  // Files without a checksum, as older versions wrote them.
  const { Checksum: __, ...state } = JSON.parse(await readText(good, statePath('a')))
  const { LastOutcome: _, ...incomplete } = state
  const unreadable = [
    { ...state, Version: '9' },
    incomplete,
    { ...state, Identity: '/other:a' },
    { ...state, HandledThrough: 'garbage' },
    { ...state, ActiveExecution: { PeriodID: 'garbage' } },
  ]
  for (const spoilt of unreadable) {
    await overwrite(good, statePath('a'), JSON.stringify(spoilt))
    await good.boot([job(SOON)])
    assert.ok(good.fatal instanceof IncompatibleStateError)
    assert.ok(good.fatal.message.startsWith(`${statePath('a')} cannot be used: `), good.fatal.message)
    assert.match(good.fatal.hint!, /restore it/)
    assert.equal(await readText(good, statePath('a')), JSON.stringify(spoilt), 'the file is left as it is')
  }
})

test('STATE File Permissions: 0600 in a directory of 0700', async t => {
  const base = realpathSync(mkdtempSync(`${tmpdir()}/kron-state-`))
  t.after(() => rmSync(base, { recursive: true }))
  const directory = `${base}/state`
  prepareStateDirectory(directory, process.getuid?.() ?? 0)
  const store = await StateStore.open({
    disk: nodeDisk,
    directory,
    clock: systemClock,
    history: 5,
    fatal: assert.fail,
  })
  await store.record('/x:a', 1, seen({ through: T0, above: [], firstSeen: T0 }))
  await store.close()
  assert.equal(statSync(directory).mode & 0o777, 0o700)
  for (const name of readdirSync(directory))
    assert.equal(statSync(`${directory}/${name}`).mode & 0o777, 0o600, name)
  mkdirSync(`${base}/open`, { mode: 0o755 })
  assert.throws(() => prepareStateDirectory(`${base}/open`, process.getuid?.() ?? 0), IncompatibleStateError)
})

test('STATE Invariants 6: corruption at any moment never runs a period twice, and adopts what runs', async () => {
  for (const policy of ['allow', 'forbid']) {
    for (let second = 0; second < 150; second += 10) {
      const line = job(`* * * * * @win(after,40s) @policy(deadline=1h,concurrency=${policy})`)
      const machine = await machineWith([line])
      machine.processes.behave = () => ({ lives: 45_000 })
      await machine.run(second)
      await machine.store!.flush()
      machine.crash()
      await overwrite(machine, statePath('a'), 'spoilt')
      await machine.boot([line])
      assert.equal(
        machine.daemon!.driver.runningCount,
        machine.processes.started.filter(each => each.alive).length,
      )
      await machine.run(300)
      assertNoneTwice(machine)
      const periods = (await outcomes(machine)).map(each => each.split(' ')[0])
      assert.equal(new Set(periods).size, periods.length, periods.join('\n'))
    }
  }
})

test('STATE Invariants 6: a crash while corruption is dealt with changes nothing of that', async () => {
  const line = job('* * * * * @win(after,40s) @policy(deadline=1h)')
  for (let step = 1; step < 30; step++) {
    const machine = await machineWith([line])
    await machine.run(100)
    await machine.store!.flush()
    machine.crash()
    await overwrite(machine, statePath('a'), 'spoilt')
    machine.crashAt = machine.steps + step
    await machine.boot([line])
    await machine.run(20)
    machine.crash()
    machine.crashAt = FOREVER
    await machine.boot([line])
    await machine.run(300)
    assertNoneTwice(machine)
  }
})

test('STATE Invariants 7: no history at all changes nothing of what runs', async () => {
  const line = job('*/7 * * * * @win(after,5m) @policy(deadline=1h)')
  const runs = async (history: number): Promise<string[]> => {
    const machine = await machineWith([line], { history })
    await machine.run(1_800)
    await machine.stop()
    await machine.run(600)
    await machine.boot([line])
    await machine.run(1_800)
    return machine.ran()
  }
  assert.deepEqual(await runs(0), await runs(50))
})
