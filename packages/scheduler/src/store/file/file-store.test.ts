import assert from 'node:assert/strict'
import {
  appendFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, test } from 'node:test'
import { crc32 } from 'node:zlib'
import { FileLock, nodeDisk } from '@kron/runtime'
import type { TaskRecord } from '../../task/record.ts'
import type { StoreSession } from '../store.ts'
import { fileStore } from './file-store.ts'

const directories: string[] = []
afterEach(() => {
  for (const directory of directories.splice(0)) rmSync(directory, { recursive: true, force: true })
})

function newDirectory(): string {
  const parent = mkdtempSync(join(tmpdir(), 'kron-store-'))
  directories.push(parent)
  return join(parent, 'deep', 'scheduler')
}

const record = (name: string, lastAttemptAt = 1): TaskRecord => ({
  name,
  cronExpression: '* * * * *',
  retryDelayMs: 0,
  firstSeenAt: 1,
  lastAttemptAt,
})
const put = (...records: TaskRecord[]) => ({ put: records, remove: [] })
const names = (records: readonly TaskRecord[]) => records.map(each => each.name).sort()

/** A session that remembers what it was told. */
function listener() {
  const damages: Error[] = []
  const errors: string[] = []
  const session: StoreSession = {
    signal: new AbortController().signal,
    onStandby() {},
    onDamage: error => damages.push(error),
    onError: operation => errors.push(operation),
    onLost() {},
  }
  return { session, damages, errors }
}

const filesLike = (directory: string, pattern: RegExp) =>
  readdirSync(directory).filter(name => pattern.test(name))

test('without a path, or with one that cannot be made, it says so', async () => {
  for (const path of ['', undefined as unknown as string]) {
    assert.throws(() => fileStore(path), { name: 'TypeError', message: /needs the path of a directory, got/ })
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
  const store = fileStore(directory, { disk: nodeDisk, lock: FileLock.acquire, smallestFold: 2_000 })
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

test('damage in the middle of the journal is reported and set aside, and the rest is kept', async () => {
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

const line = (value: unknown) => {
  const json = JSON.stringify(value)
  return `${crc32(json).toString(16).padStart(8, '0')} ${json}\n`
}
const HEADER = { format: 'kron-scheduler', version: 1 }

/** A directory with this snapshot and nothing else. */
async function directoryWith(snapshot: string): Promise<string> {
  const directory = newDirectory()
  const store = fileStore(directory)
  await store.load()
  await store.close()
  writeFileSync(join(directory, 'snapshot'), snapshot)
  return directory
}

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

test('a journal of another program, or of a newer version, is refused and left alone', async () => {
  const directory = newDirectory()
  const store = fileStore(directory)
  await store.load()
  await store.close()
  const journal = join(directory, filesLike(directory, /^journal-/)[0]!)
  const bytes = readFileSync(journal)
  bytes.writeUInt32LE(9, 8)
  bytes.writeUInt32LE(crc32(bytes.subarray(0, 12)), 12)
  writeFileSync(journal, bytes)
  await assert.rejects(fileStore(directory).load(), /version 9 is unknown/)
  assert.deepEqual(readFileSync(journal), bytes)
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

test('leftovers of a crashed writer are cleared away', async () => {
  const directory = newDirectory()
  const store = fileStore(directory)
  await store.load()
  await store.close()
  appendFileSync(join(directory, 'snapshot.123-4.tmp'), 'half a snapsh')
  await fileStore(directory).load()
  assert.deepEqual(filesLike(directory, /tmp$/), [])
})
