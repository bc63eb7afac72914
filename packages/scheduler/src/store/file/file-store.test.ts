import assert from 'node:assert/strict'
import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { DirectoryLock, nodeDisk } from '@kron/runtime'
import { filesLike, names, newDirectory, put, record } from '@kron/testkit/scheduler/store/file/file-store'
import { fileStore } from './file-store.ts'

test('without a path, or with one that cannot be made, it says so', async () => {
  for (const path of ['', undefined as unknown as string]) {
    assert.throws(() => fileStore(path), {
      name: 'OptionError',
      message: /^fileStore: directory must be the path of a directory, got/,
    })
  }
  await assert.rejects(fileStore('/proc/kron/scheduler').load(), { code: 'ENOENT' })
})

test('what was committed is there after a restart', async () => {
  const directory = newDirectory()
  const store = fileStore(directory)
  assert.deepEqual(await store.load(), [])
  await store.commit(put(record('a'), record('b')))
  await store.commit({ put: [record('a', 2), record('ü"\n\ud800')], remove: ['b'] })
  await store.close()
  const again = await fileStore(directory).load()
  assert.deepEqual(names(again), names([record('a'), record('ü"\n\ud800')]))
  assert.equal(again.find(({ name }) => name === 'a')?.lastAttemptAt, 2)
})

test('the directory is for one store at a time, and free again when it is closed', async () => {
  const directory = newDirectory()
  const first = fileStore(directory)
  await first.load()
  await assert.rejects(fileStore(directory).load(), /is locked by process \d+/)
  await first.close()
  const second = fileStore(directory)
  await second.load()
  await second.close()
})

test('a store that is not open refuses to commit, and may be closed all the same', async () => {
  const store = fileStore(newDirectory())
  await assert.rejects(store.commit(put(record('a'))), /is not open/)
  await store.close()
})

test('the journal is folded into the snapshot while commits go on', async () => {
  const directory = newDirectory()
  const store = fileStore(directory, {
    disk: nodeDisk,
    lock: path => DirectoryLock.acquire(path),
    smallestFold: 2_000,
  })
  await store.load()
  for (let round = 0; round < 200; round++) await store.commit(put(record(`task-${round % 20}`, round)))
  await store.close()
  const segments = filesLike(directory, /^journal-/)
  assert.ok(segments.length <= 2, segments.join())
  assert.ok(segments.at(-1)! > 'journal-00000003', segments.join())
  const records = await fileStore(directory).load()
  assert.deepEqual(
    records.map(each => each.lastAttemptAt).sort(),
    Array.from({ length: 20 }, (_, index) => 180 + index),
  )
})

test('a change too large for one record of the journal is still one change', async () => {
  const directory = newDirectory()
  const store = fileStore(directory)
  await store.load()
  const many = Array.from({ length: 45_000 }, (_, index) => record(`task-${index}`))
  await store.commit({ put: many, remove: [] })
  await store.commit({ put: [], remove: many.slice(1).map(({ name }) => name) })
  await store.close()
  assert.deepEqual(names(await fileStore(directory).load()), ['task-0'])
})

test('leftovers of a crashed writer are cleared away', async () => {
  const directory = newDirectory()
  const store = fileStore(directory)
  await store.load()
  await store.close()
  appendFileSync(join(directory, 'snapshot.123-4.tmp'), 'half a snapsh')
  await fileStore(directory).load()
  assert.deepEqual(filesLike(directory, /tmp$/), [])
})
