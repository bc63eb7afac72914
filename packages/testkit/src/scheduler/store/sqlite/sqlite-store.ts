import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { sqliteStore } from '../../../../../scheduler/src/store/sqlite/sqlite-store.ts'
import { put, record } from '../file/file-store.ts'

const root = mkdtempSync(join(tmpdir(), 'kron-sqlite-'))
after(() => rmSync(root, { recursive: true }))
let count = 0
export const newPath = () => join(root, `deep-${++count}`, 'tasks.db')

/** A closed file with these tasks, each committed on its own. */
export async function fileOf(...tasks: string[]): Promise<string> {
  const path = newPath()
  const store = sqliteStore(path)
  await store.load()
  for (const name of tasks) await store.commit(put(record(name)))
  await store.close()
  return path
}

/** The imports with which another process opens the store. */
export const CHILD_IMPORTS = `import { sqliteStore } from ${JSON.stringify(new URL('../../../../../scheduler/src/store/sqlite/sqlite-store.ts', import.meta.url).href)}`
export const CHILD_ARGS = ['--conditions=kron-source', '--no-warnings', '--input-type=module', '-e']
