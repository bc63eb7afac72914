import assert from 'node:assert/strict'
import { copyFileSync, readdirSync } from 'node:fs'
import { test } from 'node:test'
import { PersistenceError } from '@kron/core'
import { faultyDisk } from '@kron/testkit/disk/faulty-disk'
import { directory, openIn, recordsIn } from '@kron/testkit/runtime/disk/journal'
import fc from 'fast-check'
import type { Disk } from './disk.ts'
import { nodeDisk } from './node-disk.ts'

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

test('a cut that could not sync the directory can be repeated', async () => {
  const dir = directory()
  const { journal } = await openIn(
    dir,
    // The third sync follows the removal of the first segment.
    faultyDisk(nodeDisk, [{ operation: 'syncDirectory', code: 'EIO', call: 3 }]),
  )
  await journal.append('stored elsewhere')
  await assert.rejects(
    journal.cut(async () => {}),
    /EIO/,
  )
  await journal.cut(async () => {})
  assert.deepEqual(await recordsIn(dir), [])
  await journal.close()
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
