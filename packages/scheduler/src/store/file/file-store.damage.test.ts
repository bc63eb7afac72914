import assert from 'node:assert/strict'
import { readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { crc32 } from 'node:zlib'
import { DirectoryLock, nodeDisk } from '@kron/runtime'
import {
  directoryOf,
  directoryWith,
  filesLike,
  HEADER,
  line,
  listener,
  names,
  newDirectory,
  put,
  record,
  reload,
} from '@kron/testkit/scheduler/store/file/file-store'
import { fileStore } from './file-store.ts'

test('a torn end of the journal is dropped without a word', async () => {
  const directory = newDirectory()
  const store = fileStore(directory)
  await store.load()
  await store.commit(put(record('a')))
  await store.commit(put(record('b')))
  await store.close()
  const journal = join(directory, filesLike(directory, /^journal-/)[0]!)
  truncateSync(journal, readFileSync(journal).length - 1)
  const { session, damages } = listener()
  const torn = fileStore(directory)
  assert.deepEqual(names(await torn.load(session)), ['a'])
  assert.deepEqual(damages, [])
  await torn.commit(put(record('c')))
  await torn.close()
  assert.deepEqual(names(await fileStore(directory).load()), ['a', 'c'])
})

test('damage in the middle of the journal is reported, and it is set aside with the sound commits behind, which are not applied', async () => {
  const directory = newDirectory()
  const store = fileStore(directory)
  await store.load()
  for (const name of ['a', 'b', 'c']) await store.commit(put(record(name)))
  await store.close()
  const name = filesLike(directory, /^journal-/)[0]!
  const bytes = readFileSync(join(directory, name))
  bytes[bytes.indexOf('"b"') + 1]! ^= 1
  writeFileSync(join(directory, name), bytes)
  const { session, damages } = listener()
  const reopened = fileStore(directory)
  assert.deepEqual(names(await reopened.load(session)), ['a'])
  assert.match(damages[0]?.message ?? '', /is damaged at byte \d+/)
  const [copy] = filesLike(directory, /damaged/)
  assert.deepEqual(readFileSync(join(directory, copy!)), bytes)
  await reopened.commit(put(record('d')))
  await reopened.close()
  const healed = listener()
  assert.deepEqual(names(await fileStore(directory).load(healed.session)), ['a', 'd'])
  assert.deepEqual(healed.damages, [])
})

test('a damaged line of the snapshot costs its task only, and the snapshot is set aside', async () => {
  const [header, a, b, c, footer] = [HEADER, record('a'), record('b'), record('c'), { end: 3 }].map(line)
  const snapshot = `${header}${a}${b!.replace('"b"', '"x"')}${c}${footer}`
  const directory = await directoryWith(snapshot)
  const { session, damages } = listener()
  const store = fileStore(directory)
  assert.deepEqual(names(await store.load(session)), ['a', 'c'])
  assert.equal(damages.length, 1)
  assert.match(damages[0]!.message, /line 3 fails its checksum/)
  await store.close()
  const [copy] = filesLike(directory, /damaged/)
  assert.equal(readFileSync(join(directory, copy!), 'utf8'), snapshot)
  assert.deepEqual(names(await fileStore(directory).load()), ['a', 'c'])
})

test('a snapshot that is cut short is reported', async () => {
  const [header, a] = [HEADER, record('a')].map(line)
  const { session, damages } = listener()
  const records = await fileStore(await directoryWith(`${header}${a}`)).load(session)
  assert.deepEqual(names(records), ['a'])
  assert.equal(damages.length, 1)
})

test('a line that is sound but no record goes to the scheduler to be reported', async () => {
  const foreign = { name: 'a', cronExpression: 5 }
  const lines = [HEADER, foreign, record('b'), { end: 2 }].map(line)
  const directory = await directoryWith(lines.join(''))
  const store = fileStore(directory)
  assert.deepEqual(await store.load(), [record('b'), foreign])
  await store.close()
  assert.equal(filesLike(directory, /damaged/).length, 1)
})

test('a snapshot of a newer version is refused and left alone', async () => {
  const snapshot = line({ format: 'kron-scheduler', version: 2 }) + line({ something: 'else' })
  const directory = await directoryWith(snapshot)
  const before = readdirSync(directory)
  await assert.rejects(fileStore(directory).load(), /has version 2, and this version of Kron knows 1/)
  assert.equal(readFileSync(join(directory, 'snapshot'), 'utf8'), snapshot)
  assert.deepEqual(readdirSync(directory), before)
})

test('what is not a snapshot of the scheduler is refused and left alone', async () => {
  for (const text of ['hello\nworld\n', line({ format: 'other', version: 1 }), line(null)]) {
    const directory = await directoryWith(text)
    await assert.rejects(fileStore(directory).load(), /is not a snapshot of the scheduler/)
    assert.equal(readFileSync(join(directory, 'snapshot'), 'utf8'), text)
  }
})

test('a journal of a newer version is refused and left alone, with what to do', async () => {
  const { directory, journal } = await directoryOf()
  const bytes = readFileSync(journal)
  bytes.writeUInt32LE(9, 8)
  bytes.writeUInt32LE(crc32(bytes.subarray(0, 12)), 12)
  writeFileSync(journal, bytes)
  const before = readdirSync(directory)
  await assert.rejects(fileStore(directory).load(), {
    message: `cannot use ${journal}: version 9 is unknown`,
    hint: 'use the version of Kron that wrote it, or move the file away if it is not from Kron',
  })
  assert.deepEqual(readFileSync(journal), bytes)
  assert.deepEqual(readdirSync(directory), before)
})

test('a journal of another program is refused and left alone, even if the snapshot is damaged', async () => {
  const { directory, journal, snapshot } = await directoryOf('a')
  writeFileSync(journal, 'a diary of somebody else')
  writeFileSync(snapshot, '')
  const before = readdirSync(directory)
  await assert.rejects(fileStore(directory).load(), /cannot use .*journal-00000001: this is not a journal/)
  assert.equal(readFileSync(journal, 'utf8'), 'a diary of somebody else')
  assert.deepEqual(readdirSync(directory), before)
})

test('a snapshot that is empty, zeroed or spoiled all over is set aside, and the journal is kept', async () => {
  const { directory, snapshot } = await directoryOf('a', 'b')
  const flipped = readFileSync(snapshot)
  for (const place of [20, flipped.length - 5]) flipped[place]! ^= 1
  for (const bytes of [Buffer.alloc(0), Buffer.alloc(4096), flipped]) {
    writeFileSync(snapshot, bytes)
    const copies = filesLike(directory, /^snapshot\.damaged/)
    const journal = readFileSync(join(directory, 'journal-00000001'))
    const { found, told } = await reload(directory)
    assert.ok(found.includes('a') && found.includes('b'), found.join())
    assert.match(told, /snapshot: /)
    const [copy] = filesLike(directory, /^snapshot\.damaged/).filter(name => !copies.includes(name))
    assert.deepEqual(readFileSync(join(directory, copy!)), bytes)
    // Restores the journal from before the repair, which turned the salvaged records into a new snapshot.
    writeFileSync(join(directory, 'journal-00000001'), journal)
  }
})

test('a journal that is empty or zeroed is reported and set aside, and the snapshot is kept', async () => {
  for (const size of [0, 5, 4096]) {
    const { directory, journal, snapshot } = await directoryOf('lost')
    const [, task, footer] = [HEADER, record('kept'), { end: 1 }].map(line)
    writeFileSync(snapshot, `${line({ ...HEADER, journal: 1 })}${task}${footer}`)
    writeFileSync(journal, Buffer.alloc(size))
    const { found, told } = await reload(directory)
    assert.deepEqual(found, ['kept'])
    assert.match(told, /journal-00000001 is damaged at byte 0/)
    const [copy] = filesLike(directory, /^journal-00000001\.damaged/)
    assert.deepEqual(readFileSync(join(directory, copy!)), Buffer.alloc(size))
  }
})

test('a bit that flips in the header of the journal is reported and costs no commit', async () => {
  for (let bit = 0; bit < 128; bit += 5) {
    const { directory, journal } = await directoryOf('a', 'b')
    const bytes = readFileSync(journal)
    bytes[bit >> 3]! ^= 1 << (bit & 7)
    writeFileSync(journal, bytes)
    const { found, told } = await reload(directory)
    assert.deepEqual(found, ['a', 'b'], `bit ${bit}`)
    assert.match(told, /journal-00000001 is damaged at byte 0/)
  }
})

test('a snapshot that is missing beside a journal is reported', async () => {
  const { directory, snapshot } = await directoryOf('a')
  rmSync(snapshot)
  const { found, told } = await reload(directory)
  assert.deepEqual(found, ['a'])
  assert.match(told, /snapshot: it is missing, and what only it held is lost$/)
})

test('a journal that is missing beside its snapshot is reported, before and after it was folded', async () => {
  const { directory, journal } = await directoryOf('a')
  rmSync(journal)
  const { found, told } = await reload(directory)
  assert.deepEqual(found, [])
  assert.match(told, /segment 1 of the journal is missing, and what was committed to it is lost$/)

  const store = fileStore(directory, {
    disk: nodeDisk,
    lock: path => DirectoryLock.acquire(path),
    smallestFold: 500,
  })
  await store.load()
  for (let round = 0; round < 20; round++) await store.commit(put(record('b', round)))
  await store.close()
  const newest = filesLike(directory, /^journal-\d+$/).at(-1)!
  assert.notEqual(newest, 'journal-00000001')
  rmSync(join(directory, newest))
  assert.match((await reload(directory)).told, /segment \d+ of the journal is missing/)
})

test('a gap in the journal is reported, and what is on both sides of it is kept', async () => {
  const { directory, journal } = await directoryOf('a')
  const { directory: other } = await directoryOf('c')
  writeFileSync(join(directory, 'journal-00000003'), readFileSync(join(other, 'journal-00000001')))
  assert.ok(readFileSync(journal).length > 16)
  const { found, told } = await reload(directory)
  assert.deepEqual(found, ['a', 'c'])
  assert.match(told, /journal-00000003 is damaged at byte 0: the segment before it is missing/)
})

test('a snapshot of the first kind, which names no segment, is read and then names one', async () => {
  const { directory, snapshot } = await directoryOf('a')
  writeFileSync(snapshot, [HEADER, record('b'), { end: 1 }].map(line).join(''))
  const { found, told } = await reload(directory)
  assert.deepEqual([found, told], [['a', 'b'], ''])
  assert.match(readFileSync(snapshot, 'utf8'), /^\w{8} {"format":"kron-scheduler","version":1,"journal":1}\n/)
})

test('a sound record of the journal that is not a change is reported and set aside', async () => {
  const directory = newDirectory()
  const { Journal } = await import('@kron/runtime')
  const store = fileStore(directory)
  await store.load()
  await store.commit(put(record('a'), record('b')))
  await store.close()
  const journal = await Journal.open(nodeDisk, directory, () => {})
  await journal.append('nonsense')
  await journal.append('C{"put":[{"name":"b"}],"remove":[]}')
  await journal.close()
  const { session, damages } = listener()
  assert.deepEqual(await fileStore(directory).load(session), [record('a'), { name: 'b' }])
  assert.equal(damages.length, 1)
  const [copy] = filesLike(directory, /damaged/)
  assert.equal(readFileSync(join(directory, copy!), 'utf8'), 'nonsense\n{"name":"b"}')
})
