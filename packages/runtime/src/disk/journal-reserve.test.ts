import assert from 'node:assert/strict'
import { appendFileSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { test } from 'node:test'
import { directory, openIn, recordsIn } from '@kron/testkit/runtime/disk/journal'
import type { Disk, DiskFile } from './disk.ts'
import { Journal, type JournalRoom } from './journal.ts'
import { nodeDisk } from './node-disk.ts'

const RESERVE = 4_096
const SEGMENT = 'journal-00000001'
const patient: JournalRoom = { reserve: RESERVE, low: () => {}, full: async () => true }

async function open(dir: string, room: JournalRoom = patient, disk: Disk = nodeDisk) {
  const records: string[] = []
  const replay = (record: Uint8Array): unknown => records.push(Buffer.from(record).toString())
  return { journal: await Journal.open(disk, dir, replay, undefined, room), records }
}

/** The real disk, on which no file can grow beyond `limit.bytes`. */
function smallDisk(limit: { bytes: number }): Disk {
  const within = (end: number): void => {
    if (end > limit.bytes) throw Object.assign(new Error('ENOSPC: no space left'), { code: 'ENOSPC' })
  }
  const small = (file: DiskFile): DiskFile => ({
    ...file,
    write: async bytes => {
      within(bytes.length)
      await file.write(bytes)
    },
    writeDurably: async (bytes, at) => {
      // As a real disk does, it takes what it can before it fails.
      await file.writeDurably!(bytes.subarray(0, Math.max(0, limit.bytes - at)), at)
      within(at + bytes.length)
    },
  })
  return {
    ...nodeDisk,
    create: async (path, mode) => small(await nodeDisk.create(path, mode)),
    openToAppend: async path => small(await nodeDisk.openToAppend(path)),
  }
}

test('room is reserved ahead of the records, renewed, and no damage to whoever reads', async () => {
  const dir = directory()
  const { journal } = await open(dir)
  const path = `${dir}/${SEGMENT}`
  assert.ok(statSync(path).size >= RESERVE)
  const expected: string[] = []
  for (let i = 0; i < 100; i++) {
    expected.push(`record ${i} ${'x'.repeat(i * 3)}`)
    await journal.append(expected.at(-1)!)
    assert.ok(statSync(path).size - journal.size > 16, 'the reserve is never used up')
  }
  assert.deepEqual(await recordsIn(dir), expected)
  await journal.close()
  const again = await open(dir)
  assert.deepEqual(again.records, expected)
  await again.journal.append('one more')
  await again.journal.close()
  assert.deepEqual(await recordsIn(dir), [...expected, 'one more'])
})

test('a journal without a reserve is taken over, and one with a reserve by who reserves nothing', async () => {
  const dir = directory()
  const old = await openIn(dir)
  await old.journal.append('old')
  await old.journal.close()
  const reserving = await open(dir)
  assert.deepEqual(reserving.records, ['old'])
  await reserving.journal.append('new')
  await reserving.journal.close()
  const plain = await openIn(dir)
  assert.deepEqual(plain.records, ['old', 'new'])
  await plain.journal.append('plain')
  await plain.journal.close()
  assert.deepEqual((await openIn(dir)).records, ['old', 'new', 'plain'])
})

test('a commit that a crash cut at any byte is dropped, and the next one takes its place', async () => {
  const dir = directory()
  const path = `${dir}/${SEGMENT}`
  const { journal } = await open(dir)
  await journal.append('first')
  const before = readFileSync(path)
  const start = journal.size + 16
  await journal.append('second, which is torn')
  const length = journal.size + 16 - start
  await journal.close()
  const after = readFileSync(path)
  for (let kept = 0; kept < length; kept++) {
    const torn = Buffer.from(before)
    after.copy(torn, start, start, start + kept)
    writeFileSync(path, torn)
    const next = await open(dir)
    assert.deepEqual(next.records, ['first'], `${kept} bytes were written`)
    await next.journal.append('third')
    await next.journal.close()
    assert.deepEqual(await recordsIn(dir), ['first', 'third'], `${kept} bytes were written`)
  }
})

test('a sound commit behind a spoiled one is damage, also with a reserve', async () => {
  const dir = directory()
  const { journal } = await open(dir)
  await journal.append('first')
  await journal.append('second')
  await journal.close()
  const bytes = readFileSync(`${dir}/${SEGMENT}`)
  bytes.fill(0, 16, 40)
  writeFileSync(`${dir}/${SEGMENT}`, bytes)
  await assert.rejects(open(dir), /is damaged at byte 16/)
})

test('on a full disk the reserve takes the records, then appending waits for room and loses nothing', async () => {
  const dir = directory()
  const limit = { bytes: 1 << 20 }
  let lows = 0
  const waiting: (() => void)[] = []
  const room: JournalRoom = {
    reserve: RESERVE,
    low: () => lows++,
    full: () => new Promise(resolve => waiting.push(() => resolve(true))),
  }
  const { journal } = await open(dir, room, smallDisk(limit))
  limit.bytes = statSync(`${dir}/${SEGMENT}`).size
  const expected: string[] = []
  const record = (i: number): string => `record ${i} ${'x'.repeat(100)}`
  while (waiting.length === 0) {
    expected.push(record(expected.length))
    const durable = journal.append(expected.at(-1)!)
    await Promise.race([durable, new Promise(resolve => setTimeout(resolve, 50))])
  }
  assert.ok(expected.length > 20, `the reserve took ${expected.length - 1} records`)
  assert.ok(lows > 0, 'word was given before the reserve was used up')
  const rest = ['while it waits', 'and another'].map(text => {
    expected.push(text)
    return journal.append(text)
  })
  limit.bytes = 1 << 20
  while (waiting.length > 0) waiting.shift()!()
  await Promise.all(rest)
  await journal.close()
  assert.deepEqual(await recordsIn(dir), expected)
})

test('a cut for which there is no room changes nothing, and succeeds later', async () => {
  const dir = directory()
  const limit = { bytes: 1 << 20 }
  const { journal } = await open(dir, patient, smallDisk(limit))
  await journal.append('a')
  limit.bytes = 10
  await assert.rejects(
    journal.cut(async () => assert.fail('nothing was sealed')),
    /no room/,
  )
  limit.bytes = 1 << 20
  await journal.append('b')
  assert.deepEqual(await recordsIn(dir), ['a', 'b'])
  await journal.cut(async () => {})
  await journal.append('c')
  await journal.close()
  assert.deepEqual(await recordsIn(dir), ['c'])
})

test('a journal that gives up waiting fails as any failed write does', async () => {
  const dir = directory()
  const limit = { bytes: 1 << 20 }
  const room = { ...patient, full: async () => false }
  const { journal } = await open(dir, room, smallDisk(limit))
  limit.bytes = 20
  await assert.rejects(journal.append('x'), /cannot append the journal/)
  await journal.close()
})

test('a reserve that was cut off, or followed by more zeros, is fine', async () => {
  const dir = directory()
  const { journal } = await open(dir)
  await journal.append('a')
  const end = journal.size + 16
  await journal.close()
  truncateSync(`${dir}/${SEGMENT}`, end)
  assert.deepEqual(await recordsIn(dir), ['a'])
  appendFileSync(`${dir}/${SEGMENT}`, Buffer.alloc(100_000))
  assert.deepEqual(await recordsIn(dir), ['a'])
})
