import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { test } from 'node:test'
import { crc32 } from 'node:zlib'
import { directory, openIn } from '@kron/testkit/runtime/disk/journal'
import { journalSegments, removeJournal, salvageJournal } from './journal-salvage.ts'
import { nodeDisk } from './node-disk.ts'

async function written(...records: string[]) {
  const dir = directory()
  const { journal } = await openIn(dir)
  for (const record of records) await journal.append(record)
  await journal.close()
  const path = `${dir}/journal-00000001`
  return { dir, path, bytes: readFileSync(path) }
}

async function salvaged(dir: string) {
  const records: string[] = []
  const damages = await salvageJournal(nodeDisk, dir, record => records.push(Buffer.from(record).toString()))
  return { records, damages: damages.map(({ offset }) => offset) }
}

test('a header spoiled in any byte costs no record', async () => {
  const { dir, path, bytes } = await written('one', 'two')
  for (let at = 0; at < 16; at++) {
    const spoiled = Buffer.from(bytes)
    spoiled[at]! ^= 0x10
    writeFileSync(path, spoiled)
    assert.deepEqual(await salvaged(dir), { records: ['one', 'two'], damages: [0] })
  }
})

test('a header of zeros costs no record, and a file of zeros holds none', async () => {
  const { dir, path, bytes } = await written('one', 'two')
  writeFileSync(path, Buffer.from(bytes).fill(0, 0, 16))
  assert.deepEqual(await salvaged(dir), { records: ['one', 'two'], damages: [0] })
  for (const size of [0, 7, 16, 5_000]) {
    writeFileSync(path, Buffer.alloc(size))
    assert.deepEqual(await salvaged(dir), { records: [], damages: [0] })
  }
})

test('records before the damage are salvaged, and those of the segments around a gap', async () => {
  const { dir, bytes } = await written('one', 'two', 'three')
  const spoiled = Buffer.from(bytes)
  spoiled[bytes.indexOf('two')]! ^= 1
  writeFileSync(`${dir}/journal-00000003`, spoiled)
  const { records, damages } = await salvaged(dir)
  assert.deepEqual(records, ['one', 'two', 'three', 'one'])
  assert.deepEqual(damages, [0, bytes.indexOf('one') + 3])
})

test('a segment of another version or program is refused, and says what to do', async () => {
  const { dir, path, bytes } = await written('one')
  const newer = Buffer.from(bytes)
  newer.writeUInt32LE(2, 8)
  newer.writeUInt32LE(crc32(newer.subarray(0, 12)), 12)
  for (const foreign of [newer, Buffer.from('a text of somebody else')]) {
    writeFileSync(path, foreign)
    await assert.rejects(salvaged(dir), {
      name: 'IncompatibleStateError',
      hint: /^use the version of Kron that wrote it, or move the file away/,
    })
    assert.deepEqual(readFileSync(path), foreign)
  }
})

test('a journal that was removed has no segments', async () => {
  const { dir } = await written('one')
  assert.deepEqual(await journalSegments(nodeDisk, dir), [1])
  await removeJournal(nodeDisk, dir)
  assert.deepEqual(await journalSegments(nodeDisk, dir), [])
})
