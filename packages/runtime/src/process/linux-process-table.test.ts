import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { uptime } from 'node:os'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { linuxProcessTable } from './linux-process-table.ts'
import { readProcessStat } from './proc-stat.ts'

const processes = linuxProcessTable()
const self = processes.identify(process.pid)!

const PATIENCE = 60_000

const until = async (condition: () => boolean | Promise<boolean>) => {
  for (const end = Date.now() + PATIENCE; !(await condition()); await sleep(10))
    assert.ok(Date.now() < end, `${condition}`)
}

/** A shell in a group of its own that runs the script. */
function group(script: string, environment: NodeJS.ProcessEnv = {}) {
  const child = spawn('sh', ['-c', script], {
    detached: true,
    stdio: 'ignore',
    env: { ...process.env, ...environment },
  })
  return { child, leader: processes.identify(child.pid!)! }
}

test('a process is itself only with its start time and on its boot', () => {
  assert.ok(processes.isAlive(self))
  assert.equal(self.bootId, readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim())
  assert.ok(!processes.isAlive({ ...self, startTime: self.startTime + 1 }))
  assert.ok(!processes.isAlive({ ...self, bootId: 'another boot' }))
  assert.equal(processes.identify(2 ** 22 - 3), undefined)
})

test('the boot clock counts the milliseconds since boot and never goes back', () => {
  const earliest = uptime() * 1_000
  const before = processes.bootTime()
  assert.ok(before > earliest - 1_000 && before < uptime() * 1_000 + 1_000)
  assert.ok(processes.bootTime() > before)
})

test('processes are found by their environment, leaders before their offspring', async () => {
  const value = `test ${process.pid}`
  const { child, leader } = group('sleep 60 & sleep 60', { KRON_TEST_ID: value, KRON_TEST_ID_2: 'other' })
  await until(() => processes.groupMembers(leader).length === 3)
  let found = await processes.findByEnvironment('KRON_TEST_ID')
  // While a child becomes another program its environment is empty.
  await until(async () => {
    found = await processes.findByEnvironment('KRON_TEST_ID')
    return found.get(value)?.length === 3
  })
  const { identity, uid, environment } = found.get(value)![0]!
  assert.deepEqual(identity, leader)
  assert.equal(uid, process.getuid!())
  assert.deepEqual([environment.get('KRON_TEST_ID'), environment.get('KRON_TEST_ID_2')], [value, 'other'])
  assert.equal(found.get('other'), undefined)
  processes.signalGroup(leader, 'SIGKILL')
  await once(child, 'exit')
})

test('a signal reaches the whole group, and an empty group is noticed', async () => {
  const { child, leader } = group('sleep 60 & exec sleep 60')
  await until(() => processes.groupMembers(leader).length === 2)
  child.kill('SIGKILL')
  await once(child, 'exit')
  assert.ok(!processes.isAlive(leader))
  await until(() => processes.groupMembers(leader).length === 1)
  assert.ok(processes.signalGroup(leader, 'SIGTERM'))
  await until(() => !processes.signalGroup(leader, 'SIGTERM'))
  assert.deepEqual(processes.groupMembers(leader), [])
})

test('a stranger who got the PID is left alone', async () => {
  const { child, leader } = group('exec sleep 60')
  const impostors = [
    { ...leader, startTime: leader.startTime - 5 },
    { ...leader, bootId: 'before the reboot' },
  ]
  for (const impostor of impostors) {
    assert.equal(processes.signalGroup(impostor, 'SIGKILL'), false)
    assert.deepEqual(processes.groupMembers(impostor), [])
  }
  assert.ok(processes.isAlive(leader))
  child.kill('SIGKILL')
  await once(child, 'exit')
})

test('the end of a process that is no child of ours is noticed', async () => {
  const text = execFileSync('sh', ['-c', 'sleep 60 > /dev/null 2>&1 & echo $!'], { encoding: 'utf8' })
  const stranger = processes.identify(Number(text))!
  assert.ok(stranger)
  await new Promise<void>(resolve => {
    processes.watchExit(stranger, resolve)
    process.kill(stranger.pid, 'SIGKILL')
  })
  assert.ok(!processes.isAlive(stranger))
})

test('the end of a process that has already ended is noticed, once', async () => {
  let calls = 0
  processes.watchExit({ ...self, startTime: 1 }, () => calls++)
  processes.watchExit({ pid: 2 ** 22 - 3, startTime: 1, bootId: self.bootId }, () => calls++)
  assert.equal(calls, 0)
  await until(() => calls === 2)
})

test('watching can be stopped', async () => {
  const { child, leader } = group('exec sleep 60')
  let calls = 0
  const stop = processes.watchExit(leader, () => calls++)
  stop()
  stop()
  child.kill('SIGKILL')
  await once(child, 'exit')
  await sleep(20)
  assert.equal(calls, 0)
})

test('a zombie is not alive', async () => {
  // A shell may ask for the exit status of its child; what it becomes does not.
  const untilItSleeps = 'until grep -q sleep /proc/$$/comm; do :; done'
  const parent = spawn('sh', ['-c', `${untilItSleeps} & echo $!; exec sleep 60`], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const [text] = (await once(parent.stdout, 'data')) as [Buffer]
  const pid = Number(text)
  await until(() => readProcessStat(pid)?.state === 'Z')
  assert.equal(processes.identify(pid), undefined)
  parent.kill('SIGKILL')
  await once(parent, 'exit')
})
