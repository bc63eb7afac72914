import assert from 'node:assert/strict'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { listener, put, record } from '@kron/testkit/scheduler/store/file/file-store'
import { fileOf, newPath } from '@kron/testkit/scheduler/store/sqlite/sqlite-store'
import { sqliteStore } from './sqlite-store.ts'

const damagedCopies = (path: string) =>
  readdirSync(join(path, '..')).filter(name => /^tasks\.db\.damaged-[\dTZ.-]+$/.test(name))

test('a spoiled row, page or header is reported and set aside, and the rest goes on', async () => {
  const many = Array.from({ length: 400 }, (_, index) => `task-${index}`)
  const path = await fileOf()
  const store = sqliteStore(path)
  await store.load()
  await store.commit(put(...many.map(name => record(name))))
  await store.close()
  const sound = readFileSync(path)
  const spoil = (change: (bytes: Buffer) => void) => {
    const bytes = Buffer.from(sound)
    change(bytes)
    return bytes
  }
  const cases: [string, Buffer, number][] = [
    [
      'a row',
      Buffer.from(sound.toString('latin1').replaceAll('"name":"task-77"', '"name":"task-7X"'), 'latin1'),
      399,
    ],
    ['a page', spoil(bytes => bytes.fill(0xaa, bytes.length - 4096)), 0],
    ['the header', spoil(bytes => bytes.fill(0, 0, 16)), 0],
    ['the end', sound.subarray(0, sound.length - 5000), 0],
  ]
  for (const [what, bytes, least] of cases) {
    writeFileSync(path, bytes)
    const copies = damagedCopies(path).length
    const { session, damages } = listener()
    const found = await store.load(session)
    assert.ok(found.length >= least && found.length < 400, `${what}: ${found.length}`)
    assert.equal(damages.length, 1, what)
    assert.equal(damagedCopies(path).length, copies + 1, what)
    await store.commit(put(record('next')))
    await store.close()
    const again = listener()
    assert.equal((await store.load(again.session)).length, found.length + 1, what)
    assert.deepEqual(again.damages, [])
    await store.close()
  }
})

/** The positions of the flipped bits: every byte of the header, and a sample of the rest. */
function* flips(size: number): Generator<[at: number, bit: number]> {
  for (let at = 0; at < 100; at++) yield [at, at % 8]
  for (let count = 0; count < 100; count++) yield [(count * 7919) % size, count % 8]
}

test('wherever a bit flips, no task is lost without a word: it is found, its loss is reported, or the file is refused and left alone', async () => {
  const path = await fileOf()
  const tasks = 300
  const store = sqliteStore(path)
  await store.load()
  await store.commit(put(...Array.from({ length: tasks }, (_, index) => record(`task-${index}`))))
  await store.close()
  const sound = readFileSync(path)
  const tally = { found: 0, reported: 0, refused: 0 }
  for (const [at, bit] of flips(sound.length)) {
    const spoiled = Buffer.from(sound)
    spoiled[at]! ^= 1 << bit
    writeFileSync(path, spoiled)
    const { session, damages } = listener()
    const found = await store.load(session).catch((error: Error) => error.message)
    if (typeof found === 'string') {
      assert.match(found, /^cannot use /, `byte ${at}, bit ${bit}`)
      assert.deepEqual(readFileSync(path), spoiled)
      tally.refused++
      continue
    }
    if (found.length < tasks) assert.equal(damages.length, 1, `byte ${at}, bit ${bit}: ${found.length} tasks`)
    tally[damages.length > 0 ? 'reported' : 'found']++
    await store.commit(put(record('next')))
    await store.close()
  }
  assert.ok(tally.found > 20 && tally.reported > 60 && tally.refused < 20, JSON.stringify(tally))
})

test('a file of another program or a newer version is refused and left alone', async () => {
  const other = await fileOf()
  const foreign = new DatabaseSync(other)
  foreign.exec('PRAGMA application_id = 7')
  foreign.close()
  const newer = await fileOf('a')
  const later = new DatabaseSync(newer)
  later.exec('PRAGMA user_version = 2')
  later.close()
  const text = newPath()
  mkdirSync(dirname(text), { recursive: true })
  writeFileSync(text, 'a diary of somebody else, long enough to be read as a header of a database'.repeat(20))
  for (const [path, message] of [
    [other, /database of another program/],
    [newer, /version 2/],
    [text, /not a database/],
  ] as const) {
    const before = readFileSync(path)
    await assert.rejects(sqliteStore(path).load(), message)
    assert.deepEqual(readFileSync(path), before)
    assert.deepEqual(damagedCopies(path), [])
  }
})
