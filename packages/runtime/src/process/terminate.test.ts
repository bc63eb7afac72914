import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { systemClock } from '../clock.ts'
import { launcher, processes, specOf } from '../launch/launch.test-support.ts'
import { VirtualClock } from '../virtual-clock.ts'
import type { ProcessIdentity, ProcessTable } from './process-table.ts'
import { terminate } from './terminate.ts'

const PATIENCE = 60_000
const real = { processes, clock: systemClock }

async function launchGroup(shell: string, members: number) {
  const launched = await launcher.launch(specOf({ shell }))
  await untilMembers(launched.process, members)
  return launched
}

async function untilMembers(leader: ProcessIdentity, members: number) {
  for (const end = Date.now() + PATIENCE; Date.now() < end; await sleep(10)) {
    if (processes.groupMembers(leader).length === members) return
  }
  assert.fail(`${members} members were waited for: ${processes.groupMembers(leader)}`)
}

test('SIGTERM ends a process and its offspring', async () => {
  const { process, exited } = await launchGroup('sleep 60 & sleep 60', 3)
  assert.deepEqual(await terminate(process, { ...real, grace: 10_000 }), { kind: 'gone' })
  assert.deepEqual(await exited, { kind: 'signal', signal: 'SIGTERM' })
  assert.deepEqual(processes.groupMembers(process), [])
})

test('who ignores SIGTERM is killed when the grace is over', async () => {
  const { process, exited } = await launchGroup('trap "" TERM; sleep 60 & while :; do sleep 60; done', 3)
  assert.deepEqual(await terminate(process, { ...real, grace: 100 }), { kind: 'gone' })
  assert.deepEqual(await exited, { kind: 'signal', signal: 'SIGKILL' })
})

test('offspring that outlive their leader are ended too', async () => {
  const { process, exited } = await launcher.launch(specOf({ shell: 'trap "" TERM; sleep 60 & exit 4' }))
  assert.deepEqual(await exited, { kind: 'code', code: 4 })
  await untilMembers(process, 1)
  assert.deepEqual(await terminate(process, { ...real, grace: 50 }), { kind: 'gone' })
  assert.deepEqual(processes.groupMembers(process), [])
})

test('a stopped process is woken to hear SIGTERM', async () => {
  const { process: leader, exited } = await launchGroup('trap "exit 3" TERM; while :; do sleep 0.05; done', 2)
  process.kill(-leader.pid, 'SIGSTOP')
  assert.deepEqual(await terminate(leader, { ...real, grace: 10_000 }), { kind: 'gone' })
  assert.deepEqual(await exited, { kind: 'code', code: 3 })
})

test('who is gone already is gone', async () => {
  const { process, exited } = await launcher.launch(specOf(['true']))
  await exited
  assert.deepEqual(await terminate(process, { ...real, grace: 1_000 }), { kind: 'gone' })
})

test('who survives SIGKILL is reported, in the time of the clock', async () => {
  const clock = new VirtualClock()
  const sent: string[] = []
  const immortal: Pick<ProcessTable, 'isAlive' | 'signalGroup' | 'groupMembers'> = {
    isAlive: () => true,
    groupMembers: () => [42, 43],
    signalGroup: (_: ProcessIdentity, signal) => {
      sent.push(`${signal} at ${clock.now()}`)
      return true
    },
  }
  const leader = { pid: 42, startTime: 1, bootId: 'x' }
  const ended = terminate(leader, { processes: immortal, clock, grace: 30_000, patience: 2_000 })
  await clock.run(40_000)
  assert.deepEqual(await ended, { kind: 'survived', members: [42, 43] })
  assert.deepEqual(sent, ['SIGTERM at 0', 'SIGCONT at 0', 'SIGKILL at 30000'])
})
