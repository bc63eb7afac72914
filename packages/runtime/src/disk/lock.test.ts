import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { PersistenceError } from '@kron/core'
import { LockHeldError } from '../lock/lock-held.ts'
import { FileLock, lockHolder } from './lock.ts'

const root = mkdtempSync(join(tmpdir(), 'kron-lock-'))
after(() => rmSync(root, { recursive: true }))

const holder = `
  import { FileLock } from ${JSON.stringify(new URL('./lock.ts', import.meta.url).href)}
  globalThis.lock = FileLock.acquire(process.env.LOCK)
  process.stdout.write('locked')
  setInterval(() => {}, 1000)
`

async function startHolder(path: string) {
  const child = spawn(process.execPath, ['--conditions=kron-source', '--input-type=module', '-e', holder], {
    env: { ...process.env, LOCK: path },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(child.stdout, 'data')
  return child
}

test('a second lock of the same file fails, even in the same process, and names the holder', () => {
  const path = `${root}/same`
  const lock = FileLock.acquire(path)
  assert.equal(readFileSync(path, 'utf8'), `${process.pid}\n`)
  assert.throws(
    () => FileLock.acquire(path),
    (error: unknown) => error instanceof LockHeldError && error.holder === process.pid,
  )
  assert.deepEqual(lockHolder(path), { pid: process.pid })
  lock.release()
  lock.release()
  assert.equal(lockHolder(path), undefined)
  FileLock.acquire(path).release()
})

test('the kernel frees the lock of a process that is killed', async () => {
  const path = `${root}/killed`
  const child = await startHolder(path)
  assert.throws(() => FileLock.acquire(path), { holder: child.pid })
  child.kill('SIGKILL')
  await once(child, 'exit')
  FileLock.acquire(path).release()
})

test('a child of the holder does not inherit the lock', async () => {
  const path = `${root}/inherited`
  const lock = FileLock.acquire(path)
  const child = spawn('sleep', ['60'])
  await once(child, 'spawn')
  lock.release()
  FileLock.acquire(path).release()
  child.kill()
  await once(child, 'exit')
})

test('a symbolic link, a missing directory and a full disk are refused', () => {
  symlinkSync('/etc/passwd', `${root}/link`)
  assert.throws(() => FileLock.acquire(`${root}/link`), /ELOOP/)
  assert.throws(() => FileLock.acquire(`${root}/none/lock`), /ENOENT/)
  assert.throws(() => FileLock.acquire('/dev/full'), PersistenceError)
})

test('who holds a lock that is not there is nobody; one that cannot be opened is an error', () => {
  writeFileSync(`${root}/file`, '')
  assert.equal(lockHolder(`${root}/none/lock`), undefined)
  assert.equal(lockHolder(`${root}/file/lock`), undefined)
  symlinkSync('/no/such', `${root}/dangling`)
  assert.throws(() => lockHolder(`${root}/dangling`), PersistenceError)
})
