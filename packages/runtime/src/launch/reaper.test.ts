import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'
import { exitOf, reap } from './reaper.ts'

test('a wait status says how a process ended', () => {
  assert.deepEqual(exitOf(0), { kind: 'code', code: 0 })
  assert.deepEqual(exitOf(0xff00), { kind: 'code', code: 255 })
  assert.deepEqual(exitOf(9), { kind: 'signal', signal: 'SIGKILL' })
  assert.deepEqual(exitOf(11 | 0x80), { kind: 'signal', signal: 'SIGSEGV' })
  assert.deepEqual(exitOf(35), { kind: 'signal', signal: 'SIG35' })
})

test('how a process that is not a child has ended is unknown', async () => {
  assert.deepEqual(await reap(2 ** 22 - 3), { kind: 'unknown' })
})

test('a child that Node has already waited for is not mistaken for one of ours', async () => {
  const child = spawn('true')
  await once(child, 'exit')
  assert.deepEqual(await reap(child.pid!), { kind: 'unknown' })
})

test('exit codes are kept even if the daemon was started with SIGCHLD ignored', () => {
  const script = `
    import { linuxProcessTable, posixLauncher } from '@kron/runtime'
    const discard = { kind: 'discard' }
    const { exited } = await posixLauncher(linuxProcessTable()).launch({
      command: { shell: 'exit 5' }, environment: {}, stdout: discard, stderr: discard,
    })
    console.log(JSON.stringify(await exited))
  `
  const stdout = execFileSync(
    'env',
    [
      '--ignore-signal=CHLD',
      process.execPath,
      '--conditions=kron-source',
      '--input-type=module',
      '-e',
      script,
    ],
    { encoding: 'utf8', cwd: import.meta.dirname },
  )
  assert.equal(stdout, '{"kind":"code","code":5}\n')
})
