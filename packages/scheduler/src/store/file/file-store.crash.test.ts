import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Disk, VirtualDisk } from '@kron/runtime'
import { dyingDisk } from '@kron/testkit/disk/dying-disk'
import fc from 'fast-check'
import type { TaskRecord } from '../../task/record.ts'
import type { Change, StoreSession } from '../store.ts'
import { fileStore } from './file-store.ts'

const DIRECTORY = '/state/scheduler'
const storeOn = (disk: Disk) =>
  fileStore(DIRECTORY, { disk, lock: () => ({ release() {} }), smallestFold: 600 })

const name = fc.constantFrom('a', 'b', 'c', 'd', 'e')
const record = fc
  .tuple(name, fc.nat())
  .map(([of, firstSeenAt]) => ({ name: of, cronExpression: '* * * * *', retryDelayMs: 0, firstSeenAt }))
const change: fc.Arbitrary<Change> = fc.record({
  put: fc.uniqueArray(record, { selector: each => each.name, maxLength: 5 }),
  remove: fc.uniqueArray(name, { maxLength: 2 }),
})

function applied(state: ReadonlyMap<string, TaskRecord>, { put, remove }: Change): Map<string, TaskRecord> {
  const next = new Map(state)
  for (const record of put) next.set(record.name, record)
  for (const removed of remove) next.delete(removed)
  return next
}

/** A session that fails on any report of damage, because a crash never damages the store. */
const NO_DAMAGE: StoreSession = {
  signal: new AbortController().signal,
  onStandby() {},
  onDamage: error => assert.fail(error),
  onError() {},
  onLost() {},
}

const sorted = (records: Iterable<TaskRecord>) => [...records].sort((a, b) => (a.name < b.name ? -1 : 1))

test('whenever the machine dies, what was committed is there and the last commit is whole or absent', async () => {
  let deaths = 0
  const life = fc.record({
    changes: fc.array(change, { minLength: 1, maxLength: 12 }),
    lastOperation: fc.integer({ min: 1, max: 120 }),
  })
  const property = fc.asyncProperty(
    fc.array(life, { minLength: 1, maxLength: 4 }),
    fc.integer(),
    async (lives, seed) => {
      const random = randomOf(seed)
      const disk = new VirtualDisk({ random })
      let durable: Map<string, TaskRecord> = new Map()
      for (const { changes, lastOperation } of lives) {
        const dying = dyingDisk(disk, lastOperation)
        const store = storeOn(dying.disk)
        let attempted = durable
        try {
          await store.load(NO_DAMAGE)
          for (const each of changes) {
            attempted = applied(durable, each)
            await store.commit(each)
            durable = attempted
          }
          await store.close()
        } catch (error) {
          if (!dying.died()) throw error
          await Promise.resolve(store.close()).catch(() => {})
        }
        if (dying.died()) deaths++
        disk.crash()
        const survivor = storeOn(disk)
        const found = sorted(await survivor.load(NO_DAMAGE))
        await survivor.close()
        const whole = JSON.stringify(found) === JSON.stringify(sorted(attempted.values()))
        if (whole) durable = attempted
        assert.deepEqual(found, sorted(durable.values()))
      }
    },
  )
  await fc.assert(property, { numRuns: 1500 })
  assert.ok(deaths > 500, `${deaths} deaths`)
})

test('a write that failed is not the end: the store reads what is there and goes on', async () => {
  const property = fc.asyncProperty(
    fc.array(change, { minLength: 2, maxLength: 12 }),
    fc.nat({ max: 60 }),
    async (changes, fault) => {
      const disk = new VirtualDisk()
      let state: Map<string, TaskRecord> = new Map()
      let operations = 0
      const store = storeOn(failingOnce(disk, () => operations++ === fault + 20))
      await store.load().catch(() => {})
      for (const each of changes) {
        // The effect of a failed commit is unknown, so the commit is repeated.
        await store
          .commit(each)
          .catch(() => store.commit(each))
          .catch(() => store.load().then(() => store.commit(each)))
        state = applied(state, each)
      }
      await store.close()
      assert.deepEqual(sorted(await storeOn(disk).load()), sorted(state.values()))
    },
  )
  await fc.assert(property, { numRuns: 300 })
})

/** A disk on which one operation fails halfway. */
function failingOnce(disk: VirtualDisk, fails: () => boolean): Disk {
  const maybe = async <T>(act: () => Promise<T>): Promise<T> => {
    if (fails()) throw Object.assign(new Error('ENOSPC: no space'), { code: 'ENOSPC' })
    return act()
  }
  return {
    read: path => disk.read(path),
    stat: path => disk.stat(path),
    list: path => disk.list(path),
    makeDirectory: (path, mode) => disk.makeDirectory(path, mode),
    rename: (from, to) => maybe(() => disk.rename(from, to)),
    remove: path => disk.remove(path),
    syncDirectory: path => maybe(() => disk.syncDirectory(path)),
    create: async (path, mode) => failingFile(await maybe(() => disk.create(path, mode))),
    openToAppend: async path => failingFile(await maybe(() => disk.openToAppend(path))),
  }
  function failingFile(file: Awaited<ReturnType<Disk['create']>>) {
    return {
      ...file,
      write: (bytes: Uint8Array) => maybe(() => file.write(bytes)),
      sync: () => maybe(() => file.sync()),
      appendDurably: async (bytes: Uint8Array) => {
        await file.write(bytes.subarray(0, bytes.length >> 1))
        await maybe(() => file.write(bytes.subarray(bytes.length >> 1)))
        await file.sync()
      },
    }
  }
}

/** A small random generator with a seed, so that a failing run can be repeated. */
function randomOf(seed: number): () => number {
  let state = seed | 0
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0
    return (state >>> 8) / 2 ** 24
  }
}
