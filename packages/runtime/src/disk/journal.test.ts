import assert from 'node:assert/strict'
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { PersistenceError } from '@kron/core'
import fc from 'fast-check'
import type { Disk } from './disk.ts'
import { faultyDisk } from './faulty-disk.test-support.ts'
import { Journal } from './journal.ts'
import { JournalDamagedError, readJournal } from './journal-recovery.ts'
import { nodeDisk } from './node-disk.ts'

const root = mkdtempSync(join(tmpdir(), 'kron-journal-'))
after(() => rmSync(root, { recursive: true }))
let count = 0
const directory = () => mkdtempSync(join(root, `${count++}-`))

async function openIn(dir: string, disk: Disk = nodeDisk) {
  const records: string[] = []
  const journal = await Journal.open(disk, dir, record => records.push(Buffer.from(record).toString()))
  return { journal, records }
}

async function recordsIn(dir: string): Promise<string[]> {
  const records: string[] = []
  await readJournal(nodeDisk, dir, record => records.push(Buffer.from(record).toString()))
  return records
}

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

test('what was appended is replayed in order, text and bytes alike', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.oneof(
          fc.string({ unit: 'binary', maxLength: 50 }),
          fc.string({ minLength: 1500, maxLength: 2500 }),
        ),
        {
          maxLength: 12,
        },
      ),
      async texts => {
        const dir = directory()
        const { journal } = await openIn(dir)
        const wanted = texts.map(text => Buffer.from(text).toString())
        await Promise.all(
          texts.map((text, index) => journal.append(index % 2 === 0 ? text : Buffer.from(text))),
        )
        await journal.close()
        assert.deepEqual((await openIn(dir)).records, wanted)
      },
    ),
    { numRuns: 20 },
  )
})

test('everything that waits goes to the disk together', async () => {
  const dir = directory()
  let commits = 0
  const disk: Disk = {
    ...nodeDisk,
    openToAppend: async path => {
      const file = await nodeDisk.openToAppend(path)
      return {
        ...file,
        appendDurably: bytes => {
          commits++
          return file.appendDurably(bytes)
        },
      }
    },
  }
  const { journal } = await openIn(dir, disk)
  const writer = async (name: string) => {
    for (let turn = 0; turn < 10; turn++) await journal.append(`${name} ${turn}`)
  }
  await Promise.all(Array.from({ length: 64 }, (_, index) => writer(`writer ${index}`)))
  await journal.close()
  assert.equal((await openIn(dir)).records.length, 640)
  assert.equal(commits, 10)
})

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

test('a foreign file and a newer version are refused', async () => {
  const dir = directory()
  writeFileSync(`${dir}/journal-00000001`, 'something else altogether')
  await assert.rejects(openIn(dir), /not a journal/)
  writeFileSync(`${dir}/journal-00000001`, '')
  await assert.rejects(openIn(dir), /header is incomplete/)
})

test('a cut drops what came before it, and appending goes on meanwhile', async () => {
  const dir = directory()
  const { journal } = await openIn(dir)
  await journal.append('old')
  const waiting = journal.append('waiting when the cut begins')
  await journal.cut(async () => {
    await journal.append('meanwhile')
    assert.deepEqual(await recordsIn(dir), ['old', 'waiting when the cut begins', 'meanwhile'])
  })
  await waiting
  await journal.append('new')
  await journal.close()
  assert.deepEqual(await recordsIn(dir), ['meanwhile', 'new'])
})

test('a cut whose contents could not be stored drops nothing, and the next one drops both', async () => {
  const dir = directory()
  const { journal } = await openIn(dir)
  await journal.append('one')
  await assert.rejects(
    journal.cut(() => Promise.reject(new Error('no room'))),
    /no room/,
  )
  await journal.append('two')
  assert.deepEqual(await recordsIn(dir), ['one', 'two'])
  await journal.cut(async () => {})
  assert.deepEqual(await recordsIn(dir), [])
  assert.equal(journal.size, 0)
  await journal.close()
  assert.deepEqual(readdirSync(dir), ['journal-00000003'])
})

test('a crash during a cut loses nothing, wherever it happens', async () => {
  const dir = directory()
  const { journal } = await openIn(dir)
  const snapshots: string[] = []
  const snapshot = () => {
    const copy = directory()
    for (const name of readdirSync(dir)) copyFileSync(`${dir}/${name}`, `${copy}/${name}`)
    snapshots.push(copy)
  }
  await journal.append('one')
  snapshot()
  await journal.cut(async () => snapshot())
  snapshot()
  await journal.append('two')
  snapshot()
  await journal.close()
  const seen = await Promise.all(snapshots.map(async copy => (await openIn(copy)).records))
  assert.deepEqual(seen, [['one'], ['one'], [], ['two']])
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

for (const { code, written } of [
  { code: 'ENOSPC', written: 11 },
  { code: 'EIO', written: 0 },
]) {
  test(`after ${code} nothing is promised any more, and what was promised is still there`, async () => {
    const dir = directory()
    const disk = faultyDisk(nodeDisk, [{ operation: 'appendDurably', code, call: 2, written }])
    const { journal } = await openIn(dir, disk)
    await journal.append('promised')
    const lost = journal.append('lost')
    const follows = new Promise<void>((resolve, reject) => {
      setImmediate(() => journal.append('follows').then(resolve, reject))
    })
    const failed = (error: unknown) => error instanceof PersistenceError && error.message.includes(code)
    await assert.rejects(lost, failed)
    await assert.rejects(follows, failed)
    await assert.rejects(journal.append('later'), failed)
    await assert.rejects(
      journal.cut(async () => {}),
      failed,
    )
    await journal.close()
    assert.deepEqual((await openIn(dir)).records, ['promised'])
  })
}

test('when a new segment cannot be made the cut fails and nothing is promised any more', async () => {
  const dir = directory()
  const { journal } = await openIn(
    dir,
    faultyDisk(nodeDisk, [{ operation: 'syncDirectory', code: 'EIO', call: 2 }]),
  )
  await journal.append('promised')
  let stored = false
  await assert.rejects(
    journal.cut(async () => {
      stored = true
    }),
    /EIO/,
  )
  await assert.rejects(journal.append('more'), /EIO/)
  assert.equal(stored, false)
  await journal.close()
  assert.deepEqual(await recordsIn(dir), ['promised'])
})

test('the directory is made durable before the first record can be', async () => {
  const events: string[] = []
  const disk: Disk = {
    ...nodeDisk,
    rename: (from, to) => {
      events.push('rename')
      return nodeDisk.rename(from, to)
    },
    syncDirectory: path => {
      events.push('syncDirectory')
      return nodeDisk.syncDirectory(path)
    },
    openToAppend: async path => {
      events.push('open')
      return nodeDisk.openToAppend(path)
    },
  }
  const { journal } = await openIn(directory(), disk)
  await journal.close()
  assert.deepEqual(events, ['rename', 'syncDirectory', 'open'])
})

test('nothing can be appended to a closed journal', async () => {
  const { journal } = await openIn(directory())
  await journal.close()
  await assert.rejects(journal.append('late'), /closed/)
})
