import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { listener, names, put, record } from '@kron/testkit/scheduler/store/file/file-store'
import { CHILD_ARGS, CHILD_IMPORTS, newPath } from '@kron/testkit/scheduler/store/sqlite/sqlite-store'
import { sqliteStore } from './sqlite-store.ts'

test('what was committed is there after a restart, whatever the names are', async () => {
  const path = newPath()
  const store = sqliteStore(path)
  assert.deepEqual(await store.load(), [])
  await store.commit(put(record('a'), record('b')))
  await store.commit({ put: [record('a', 2), record('ü"\n\ud800\0')], remove: ['b'] })
  await store.close()
  const again = await store.load()
  assert.deepEqual(names(again), names([record('a'), record('ü"\n\ud800\0')]))
  assert.equal(again.find(({ name }) => name === 'a')?.lastAttemptAt, 2)
  await store.close()
  await assert.rejects(store.commit(put(record('c'))), /is not open/)
})

test('the file is for one store at a time, in this process and in another', async () => {
  const path = newPath()
  const store = sqliteStore(path)
  await store.load()
  await assert.rejects(sqliteStore(path).load(), /is locked by process \d+/)
  symlinkSync(path, `${path}-link`)
  await assert.rejects(sqliteStore(`${path}-link`).load(), /is locked by/)
  const program = `
    ${CHILD_IMPORTS}
    await sqliteStore(${JSON.stringify(path)}).load().then(() => console.log('taken'), error => console.log(error.message))`
  const child = spawn(process.execPath, [...CHILD_ARGS, program])
  const [said] = await once(child.stdout, 'data')
  assert.match(String(said), /is locked by another process/)
  await store.close()
  const next = sqliteStore(path)
  await next.load()
  await next.close()
})

test('a file that vanishes is an error event and made again with everything in it', async () => {
  const path = newPath()
  const { session, errors } = listener()
  const store = sqliteStore(path)
  await store.load(session)
  await store.commit(put(record('a')))
  rmSync(join(path, '..'), { recursive: true })
  await store.commit(put(record('b')))
  await store.close()
  assert.deepEqual(errors, ['find the store'])
  assert.ok(existsSync(path))
  assert.deepEqual(names(await store.load()), ['a', 'b'])
  await store.close()
})
