import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach } from 'node:test'
import { crc32 } from 'node:zlib'
import { fileStore } from '../../../../../scheduler/src/store/file/file-store.ts'
import type { StoreSession } from '../../../../../scheduler/src/store/store.ts'
import type { TaskRecord } from '../../../../../scheduler/src/task/record.ts'

const directories: string[] = []
afterEach(() => {
  for (const directory of directories.splice(0)) rmSync(directory, { recursive: true, force: true })
})

export function newDirectory(): string {
  const parent = mkdtempSync(join(tmpdir(), 'kron-store-'))
  directories.push(parent)
  return join(parent, 'deep', 'scheduler')
}

export const record = (name: string, lastAttemptAt = 1): TaskRecord => ({
  name,
  cronExpression: '* * * * *',
  retryDelayMs: 0,
  firstSeenAt: 1,
  lastAttemptAt,
})
export const put = (...records: TaskRecord[]) => ({ put: records, remove: [] })
export const names = (records: readonly TaskRecord[]) => records.map(each => each.name).sort()

/** A session that records what it is told. */
export function listener() {
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

export const filesLike = (directory: string, pattern: RegExp) =>
  readdirSync(directory).filter(name => pattern.test(name))

export const line = (value: unknown) => {
  const json = JSON.stringify(value)
  return `${crc32(json).toString(16).padStart(8, '0')} ${json}\n`
}
export const HEADER = { format: 'kron-scheduler', version: 1 }

/** A directory with this snapshot and nothing else. */
export async function directoryWith(snapshot: string): Promise<string> {
  const directory = newDirectory()
  const store = fileStore(directory)
  await store.load()
  await store.close()
  writeFileSync(join(directory, 'snapshot'), snapshot)
  return directory
}

/** A directory with a store of these tasks, each committed on its own. */
export async function directoryOf(...tasks: string[]) {
  const directory = newDirectory()
  const store = fileStore(directory)
  await store.load()
  for (const name of tasks) await store.commit(put(record(name)))
  await store.close()
  return { directory, snapshot: join(directory, 'snapshot'), journal: join(directory, 'journal-00000001') }
}

/** The tasks that a store finds. Asserts that damage is reported only once, and that the store continues to work. */
export async function reload(directory: string) {
  const { session, damages } = listener()
  const store = fileStore(directory)
  const found = names(await store.load(session))
  await store.commit(put(record('next')))
  await store.close()
  const again = listener()
  const healed = fileStore(directory)
  assert.deepEqual(names(await healed.load(again.session)), [...new Set([...found, 'next'])].sort())
  await healed.close()
  assert.deepEqual(again.damages, [])
  return { found, told: damages.map(error => error.message).join() }
}
