import assert from 'node:assert/strict'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { test } from 'node:test'
import { crc32 } from 'node:zlib'
import { directory, openIn, recordsIn } from '@kron/testkit/runtime/disk/journal'
import { JournalDamagedError } from './journal-recovery.ts'

/** A journal of one segment with a commit for each group, and the offset at which each commit ends. */
async function written(groups: readonly (readonly string[])[]) {
  const dir = directory()
  const { journal } = await openIn(dir)
  const ends: number[] = []
  for (const group of groups) {
    await Promise.all(group.map(record => journal.append(record)))
    ends.push(journal.size + 16)
  }
  await journal.close()
  return { dir, ends, bytes: readFileSync(`${dir}/journal-00000001`) }
}

test('a journal cut short at any byte replays exactly the commits that are whole', async () => {
  const groups = [['a1', 'a2'], ['b1'], ['c1', '', 'c3 with more text'], ['d1']]
  const { bytes, ends } = await written(groups)
  const dir = directory()
  for (let size = 16; size <= bytes.length; size++) {
    writeFileSync(`${dir}/journal-00000001`, bytes.subarray(0, size))
    const whole = ends.filter(end => end <= size).length
    const kept = groups.slice(0, whole).flat()
    assert.deepEqual(await recordsIn(dir), kept)
    const { journal, records } = await openIn(dir)
    assert.deepEqual(records, kept)
    await journal.append('after the crash')
    await journal.close()
    assert.deepEqual(await recordsIn(dir), [...kept, 'after the crash'])
  }
})

test('a last commit spoiled in any byte is dropped; an earlier one is reported', async () => {
  const { bytes, ends } = await written([['first', 'second'], ['third'], ['last', 'of all']])
  const dir = directory()
  for (let at = 0; at < bytes.length; at++) {
    const spoiled = Buffer.from(bytes)
    spoiled[at] = spoiled[at]! ^ 0xff
    writeFileSync(`${dir}/journal-00000001`, spoiled)
    if (at >= ends[1]!) {
      assert.deepEqual(await recordsIn(dir), ['first', 'second', 'third'])
    } else {
      await assert.rejects(recordsIn(dir), JournalDamagedError, `byte ${at}`)
      await assert.rejects(openIn(dir), JournalDamagedError)
      assert.deepEqual(readFileSync(`${dir}/journal-00000001`), spoiled)
    }
  }
})

test('zeros or noise at the end, as a crash may leave them, are dropped', async () => {
  const { bytes } = await written([['kept']])
  for (const rubbish of [Buffer.alloc(5000), Buffer.from('KCMT'.repeat(100))]) {
    const dir = directory()
    writeFileSync(`${dir}/journal-00000001`, Buffer.concat([bytes, rubbish]))
    const { journal, records } = await openIn(dir)
    assert.deepEqual(records, ['kept'])
    await journal.append('next')
    await journal.close()
    assert.deepEqual(await recordsIn(dir), ['kept', 'next'])
  }
})

test('a commit that stands twice is damage', async () => {
  const { bytes, ends } = await written([['a'], ['b']])
  const dir = directory()
  writeFileSync(`${dir}/journal-00000001`, Buffer.concat([bytes, bytes.subarray(16, ends[0])]))
  await assert.rejects(recordsIn(dir), JournalDamagedError)
})

test('a foreign file, a half-made one and a newer version are refused and left as they are', async () => {
  const newer = Buffer.from('KRONJRNL\x02\0\0\0\0\0\0\0')
  newer.writeUInt32LE(crc32(newer.subarray(0, 12)), 12)
  for (const [bytes, reason] of [
    [Buffer.from('something else altogether'), /not a journal/],
    [Buffer.alloc(0), /header is incomplete/],
    [newer, /version 2 is unknown/],
  ] as const) {
    const dir = directory()
    writeFileSync(`${dir}/journal-00000001`, bytes)
    await assert.rejects(openIn(dir), reason)
    assert.deepEqual(readFileSync(`${dir}/journal-00000001`), bytes)
  }
})

test('a missing segment and a torn one that is not the last are damage', async () => {
  const dir = directory()
  const { journal } = await openIn(dir)
  for (const record of ['a', 'b', 'c']) {
    await journal.append(record)
    await assert.rejects(
      journal.cut(() => Promise.reject(new Error('kept'))),
      /kept/,
    )
  }
  await journal.close()
  assert.deepEqual(await recordsIn(dir), ['a', 'b', 'c'])
  const second = readFileSync(`${dir}/journal-00000002`)
  writeFileSync(`${dir}/journal-00000002`, second.subarray(0, -1))
  await assert.rejects(recordsIn(dir), /cut short/)
  rmSync(`${dir}/journal-00000002`)
  await assert.rejects(recordsIn(dir), /before it is missing/)
})
