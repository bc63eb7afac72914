import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BROKEN_VARIANTS } from './broken-variants.ts'
import { statePath } from './durable-states.ts'
import { Machine } from './machine.ts'
import { entriesOf, JOB_FILE, STATE_DIR } from './places.ts'
import type { Sabotage } from './sabotage.ts'
import { StateChecks } from './state-checks.ts'
import { Witness } from './witness.ts'

const MINUTE = 60
const MIDNIGHT = 1_767_225_600 // 2026-01-01T00:00:00Z
const LINES = ['* * * * * @policy(concurrency=forbid) name=job command=/bin/true']
/** More than a daemon does to start, or to record an outcome. */
const MANY_STEPS = 20

interface Host {
  readonly machine: Machine
  readonly witness: Witness
  readonly checks: StateChecks
}

/** A host some seconds after midnight. Its runs take a minute and a half, so the period of 00:02:00 is skipped. */
async function hostAt(seconds: number, sabotage: Sabotage = {}): Promise<Host> {
  const witness: Witness = new Witness({
    life: () => machine.life,
    now: () => machine.clock.now(),
    monotonic: () => machine.clock.monotonic(),
    maxConcurrent: Number.POSITIVE_INFINITY,
  })
  const machine = new Machine({ now: MIDNIGHT + 30, observer: witness, sabotage })
  machine.processes.observer = witness
  machine.processes.behave = () => ({ lives: 90_000 })
  const host = { machine, witness, checks: new StateChecks(machine, witness) }
  witness.configured(entriesOf(LINES))
  await boot(host)
  await machine.run(MIDNIGHT + seconds - machine.clock.now() / 1_000)
  return host
}

async function boot({ machine, checks }: Host): Promise<void> {
  const booting = machine.boot(LINES)
  await machine.run(1)
  await booting
  if (!machine.isDead) await checks.followed()
}

/** The daemon dies, the next one dies at this step of its start, and the power is cut. */
async function dieTwice(host: Host, step: number): Promise<void> {
  const { machine, checks } = host
  machine.crash()
  await checks.left(['job'], 'daemon')
  machine.spare()
  machine.crashAt = machine.steps + step
  await boot(host)
  machine.crash(true)
  await checks.left(['job'], 'powerCut')
}

const accusations = ({ witness }: Host): string[] => witness.violations.map(each => each.message)

test('what a killed daemon had told may not be lost by the next one while it starts', async () => {
  let lost = 0
  for (let step = 1; step <= MANY_STEPS; step++) {
    const host = await hostAt(2 * MINUTE + 0.1, BROKEN_VARIANTS['copies the journal without an fsync']())
    assert.deepEqual([...host.witness.outcomes.values()], ['executed', 'skipped'])
    await dieTwice(host, step)
    const [state] = [await host.machine.state('job')]
    const isLost = state?.LastOutcome !== 'skipped'
    if (isLost) lost++
    const accused = host.witness.violations.map(each => each.invariants)
    assert.deepEqual(accused, isLost ? [['STATE 4']] : [], `step ${step}`)
  }
  assert.ok(lost > 0)
})

test('what a killed daemon had written and not synced may be lost while the next one starts', async () => {
  let lost = 0
  for (let last = 1; last <= MANY_STEPS; last++) {
    for (let step = 1; step <= MANY_STEPS; step++) {
      const host = await hostAt(2 * MINUTE - 1)
      const { machine } = host
      machine.part = size => size
      machine.crashAt = machine.steps + last
      await machine.run(1.1)
      const before = await machine.state('job')
      await dieTwice(host, step)
      assert.deepEqual(accusations(host), [], `steps ${last} and ${step}`)
      const after = await machine.state('job')
      if (after!.HandledThrough < before!.HandledThrough) lost++
    }
  }
  assert.ok(lost > 0)
})

test('a watermark may not fall once an orderly stop has finished', async () => {
  for (const step of [1, Number.POSITIVE_INFINITY]) {
    const host = await hostAt(MINUTE + 10)
    const { machine, checks } = host
    const path = statePath(`${JOB_FILE}:job`)
    const old = await machine.disk.read(path)
    await machine.run(MINUTE)
    machine.crashAt = machine.steps + step
    let isFinished = false
    void machine.stop().then(finished => {
      isFinished = finished
    })
    await machine.run(MINUTE)
    assert.equal(isFinished, step > 1)
    machine.crash()
    await checks.left(['job'], isFinished ? 'stop' : 'daemon')
    await machine.disk.remove(path)
    const file = await machine.disk.create(path, 0o600)
    await file.write(old)
    await file.sync()
    await machine.disk.syncDirectory(STATE_DIR)
    machine.crash(true)
    await checks.left(['job'], 'powerCut')
    assert.equal(accusations(host).filter(each => each.includes('fell from')).length, isFinished ? 1 : 0)
  }
})
