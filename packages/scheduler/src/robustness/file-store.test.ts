import assert from 'node:assert/strict'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { MINUTE, silent } from '@kron/testkit/scheduler/conformance/fixture'
import {
  directoryOf,
  filesLike,
  listener,
  names,
  newDirectory,
  put,
  record,
} from '@kron/testkit/scheduler/store/file/file-store'
import { fileStore, makeScheduler, type SchedulerEvent, virtualClock } from '../index.ts'

test('a relative path is resolved once: a change of directory changes nothing', async () => {
  const before = process.cwd()
  const place = mkdtempSync(join(tmpdir(), 'kron-place-'))
  const other = mkdtempSync(join(tmpdir(), 'kron-other-'))
  try {
    process.chdir(place)
    const store = fileStore('var/scheduler')
    process.chdir(other)
    await store.load()
    await store.commit(put(record('a')))
    await store.close()
    assert.deepEqual(names(await store.load()), ['a'])
    await store.close()
    assert.ok(existsSync(join(place, 'var/scheduler/snapshot')))
    assert.ok(!existsSync(join(other, 'var')))
  } finally {
    process.chdir(before)
    rmSync(place, { recursive: true })
    rmSync(other, { recursive: true })
  }
})

test('a directory that vanishes is an error event, nobody else can take its place, and the tasks go on', async () => {
  const directory = newDirectory()
  const clock = virtualClock('2026-06-10T12:00:00Z')
  const events: SchedulerEvent[] = []
  let runs = 0
  const scheduler = makeScheduler({
    store: fileStore(directory),
    clock,
    logger: silent,
    onEvent: event => events.push(event),
  })
  // The disk needs real time, independent of the virtual clock.
  const until = async (isDone: () => boolean) => {
    for (let turn = 0; turn < 500 && !isDone(); turn++)
      await clock.run(1, () => new Promise(resolve => setTimeout(resolve, 5)))
  }
  const completed = () => events.filter(event => event.type === 'TaskRunCompleted').length
  await scheduler.initialize([['a', '* * * * *', () => void runs++, 0]])
  await until(() => completed() === 1)
  rmSync(directory, { recursive: true })
  const second = fileStore(directory)
  // On other platforms, the first store notices that it was replaced and stores nothing more.
  if (process.platform === 'linux') await assert.rejects(second.load(), /is locked by/)
  clock.advance(MINUTE)
  await until(() => completed() === 2)
  assert.equal(runs, 2)
  const errors = events.filter(event => event.type === 'error')
  assert.deepEqual(
    errors.map(event => event.operation),
    ['find the store'],
  )
  await scheduler.stop()
  const [task] = await second.load()
  assert.ok((task?.lastSuccessAt ?? 0) >= Date.parse('2026-06-10T12:01:00Z'))
  await second.close()
})

test('while another directory is in the place of the first one nothing is stored in either', async () => {
  const directory = newDirectory()
  const store = fileStore(directory)
  await store.load()
  await store.commit(put(record('a')))
  renameSync(directory, `${directory}-away`)
  mkdirSync(directory)
  await assert.rejects(store.commit(put(record('b'))), /is another directory now/)
  rmSync(directory, { recursive: true })
  renameSync(`${directory}-away`, directory)
  await store.commit(put(record('c')))
  await store.close()
  assert.deepEqual(names(await store.load()), ['a', 'c'])
  await store.close()
})

test('a journal whose header is spoiled beyond recognition is set aside like other damage', async () => {
  const { directory, journal } = await directoryOf()
  writeFileSync(journal, 'this was a header once')
  const { session, damages } = listener()
  const store = fileStore(directory)
  assert.deepEqual(await store.load(session), [])
  await store.commit(put(record('b')))
  await store.close()
  assert.equal(damages.length, 1)
  assert.equal(filesLike(directory, /^journal-.*damaged/).length, 1)
})

test('a journal of a newer version is left alone', async () => {
  const { directory, journal } = await directoryOf('a')
  const { crc32 } = await import('node:zlib')
  const bytes = readFileSync(journal)
  bytes.writeUInt32LE(2, 8)
  bytes.writeUInt32LE(crc32(bytes.subarray(0, 12)), 12)
  writeFileSync(journal, bytes)
  await assert.rejects(fileStore(directory).load(), /version 2 is unknown/)
  assert.deepEqual(readFileSync(journal), bytes)
})

test('a tail that was all there but is spoiled loses a whole record, which is reported and set aside', async () => {
  const { directory, journal } = await directoryOf('a', 'b')
  const bytes = readFileSync(journal)
  bytes[bytes.length - 3]! ^= 1
  writeFileSync(journal, bytes)
  const { session, damages } = listener()
  const store = fileStore(directory)
  assert.deepEqual(names(await store.load(session)), ['a'])
  await store.close()
  assert.equal(damages.length, 1, String(damages))
  assert.match(damages[0]!.message, /the last commit .* is spoiled/)
  assert.equal(filesLike(directory, /^journal.*damaged/).length, 1)
  const again = listener()
  assert.deepEqual(names(await store.load(again.session)), ['a'])
  await store.close()
  assert.deepEqual(again.damages, [])
})

test('a tail that a crash cut short is dropped without a word', async () => {
  const { directory, journal } = await directoryOf('a', 'b')
  const bytes = readFileSync(journal)
  writeFileSync(journal, bytes.subarray(0, bytes.length - 3))
  const { session, damages } = listener()
  const store = fileStore(directory)
  assert.deepEqual(names(await store.load(session)), ['a'])
  await store.close()
  assert.deepEqual(damages, [])
})

test('a store that another instance has taken over stores nothing more', async () => {
  const directory = newDirectory()
  const store = fileStore(directory)
  await store.load()
  await store.commit(put(record('a')))
  // Simulates another machine that has heard nothing from this one for a long time.
  writeFileSync(join(directory, 'lock/claim-0000000002'), '{}')
  await assert.rejects(store.commit(put(record('b'))), { name: 'StoreLostError' })
  rmSync(join(directory, 'lock/claim-0000000002'))
  await store.close()
  assert.deepEqual(names(await store.load()), ['a'])
  await store.close()
})
