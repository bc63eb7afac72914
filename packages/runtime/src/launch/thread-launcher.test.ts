import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { test } from 'node:test'
import { Worker } from 'node:worker_threads'
import { SystemError } from '@kron/core'
import { directory, processes, specOf } from './launch.test-support.ts'
import { LaunchError } from './launcher.ts'
import { ThreadLauncher } from './thread-launcher.ts'

/** A launcher whose threads can be killed. */
function mortal() {
  const threads: Worker[] = []
  const launcher = new ThreadLauncher(processes, () => {
    const thread = new Worker(new URL('./launch-thread.ts', import.meta.url))
    threads.push(thread)
    return thread
  })
  return { launcher, threads }
}

test('when the thread is lost, what it was starting may run, and what runs is still waited for', async () => {
  const { launcher, threads } = mortal()
  const go = `${directory()}/go`
  const first = await launcher.launch(specOf({ shell: `until [ -e ${go} ]; do sleep 0.05; done; exit 7` }))
  // What is sent from here on is never answered.
  threads[0]!.postMessage = () => {}
  const doubtful = launcher.launch(specOf(['sleep', '0']))
  const outcome = assert.rejects(
    doubtful,
    (error: unknown) => error instanceof LaunchError && error.created === 'unknown',
  )
  await Promise.resolve()
  await threads[0]!.terminate()
  await outcome
  writeFileSync(go, '')
  assert.deepEqual(await first.exited, { kind: 'code', code: 7 })
  const next = await launcher.launch(specOf({ shell: 'exit 8' }))
  assert.deepEqual(await next.exited, { kind: 'code', code: 8 })
  assert.equal(threads.length, 2)
  await launcher.close()
})

test('a thread that cannot start says so, and the next launch tries again', async () => {
  let attempts = 0
  const launcher = new ThreadLauncher(processes, () => {
    attempts++
    return attempts === 1
      ? new Worker('throw new Error("out of order")', { eval: true })
      : new Worker(new URL('./launch-thread.ts', import.meta.url))
  })
  await assert.rejects(
    launcher.launch(specOf(['true'])),
    (error: unknown) => error instanceof SystemError && /out of order/.test(error.message),
  )
  const { exited } = await launcher.launch(specOf(['true']))
  assert.deepEqual(await exited, { kind: 'code', code: 0 })
  await launcher.close()
})

test('a closed launcher refuses, and forgets what still runs', async () => {
  const { launcher } = mortal()
  const { exited, process } = await launcher.launch(specOf(['sleep', '60']))
  await launcher.close()
  assert.deepEqual(await exited, { kind: 'unknown' })
  processes.signalGroup(process, 'SIGKILL')
  await assert.rejects(
    launcher.launch(specOf(['true'])),
    (error: unknown) => error instanceof LaunchError && error.created === 'no',
  )
})

test('an idle launcher does not keep the program alive, a running child does', () => {
  const script = `
    import { linuxProcessTable, ThreadLauncher } from '@kron/runtime'
    const launcher = new ThreadLauncher(linuxProcessTable())
    const discard = { kind: 'discard' }
    launcher
      .launch({ command: ['/bin/sleep', '0.2'], environment: {}, stdout: discard, stderr: discard })
      .then(({ exited }) => exited)
      .then(exit => console.log(exit.kind))
  `
  const stdout = execFileSync(
    process.execPath,
    ['--conditions=kron-source', '--input-type=module', '-e', script],
    { encoding: 'utf8', cwd: import.meta.dirname, timeout: 120_000 },
  )
  assert.equal(stdout, 'code\n')
})
