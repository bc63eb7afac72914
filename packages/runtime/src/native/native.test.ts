import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { test } from 'node:test'
import { errnoName, hasNative, lastError, native } from './native.ts'

/** What a fresh program prints. */
const outputOf = (script: string): string =>
  execFileSync(process.execPath, ['--conditions=kron-source', '--input-type=module', '-e', script], {
    encoding: 'utf8',
    cwd: import.meta.dirname,
  })

test('nothing native is loaded until something native is used', () => {
  const stdout = outputOf(`
    import { createRequire } from 'node:module'
    import { Alarm, DueQueue, hostAccounts, Journal, systemClock, VirtualDisk } from '@kron/runtime'
    const { cache } = createRequire(import.meta.url)
    const isLoaded = () => Object.keys(cache).some(path => path.includes('koffi'))
    const disk = new VirtualDisk()
    await disk.makeDirectory('/state', 0o700)
    await (await Journal.open(disk, '/state', () => {})).append('x')
    new DueQueue().set(1, 2)
    new Alarm({ clock: systemClock, onDue: () => {} }).set(0)
    console.log(isLoaded())
    hostAccounts()
    console.log(isLoaded())
  `)
  assert.equal(stdout, 'false\ntrue\n')
})

test('where the C library cannot be called, what needs it says so', () => {
  const stdout = outputOf(`
    import { FileLock, hostAccounts, linuxProcessTable, posixLauncher } from '@kron/runtime'
    Object.defineProperty(process, 'platform', { value: 'win32' })
    for (const act of [() => FileLock.acquire('/tmp/x'), hostAccounts, posixLauncher, linuxProcessTable]) {
      try { act() } catch (error) { console.log(error.name, error.message.includes('win32')) }
    }
  `)
  assert.equal(stdout, 'SystemError true\n'.repeat(4))
})

test('errors and missing functions are told by name', () => {
  const close = native<[fd: number], number>('int close(int fd)')
  assert.equal(close(-1), -1)
  assert.equal(lastError(), 'EBADF')
  assert.equal(errnoName(2), 'ENOENT')
  assert.equal(hasNative('getpid'), true)
  assert.equal(hasNative('no_such_function_at_all'), false)
})
