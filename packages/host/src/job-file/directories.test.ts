import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { configDirectory, listJobFiles, stateDirectory } from './directories.ts'

test('root has the directories of the system, others those of the XDG rules', () => {
  const root = { uid: 0, env: { HOME: '/root', XDG_CONFIG_HOME: '/x' } }
  assert.deepEqual([configDirectory(root), stateDirectory(root)], ['/etc/krond.d', '/var/lib/krond'])
  const user = { uid: 1000, env: { HOME: '/home/ann' } }
  assert.deepEqual(
    [configDirectory(user), stateDirectory(user)],
    ['/home/ann/.config/krond', '/home/ann/.local/state/krond'],
  )
  const xdg = { uid: 1000, env: { HOME: '/home/ann', XDG_CONFIG_HOME: '/c', XDG_STATE_HOME: 'relative' } }
  assert.deepEqual([configDirectory(xdg), stateDirectory(xdg)], ['/c/krond', '/home/ann/.local/state/krond'])
})

test('job files come in the order of their bytes, without hidden and other files', () => {
  const directory = mkdtempSync(join(tmpdir(), 'kron-list-'))
  for (const name of ['b.kron', 'B.kron', 'ä.kron', '10.kron', '9.kron', '.#b.kron', 'b.kron~', 'README']) {
    writeFileSync(join(directory, name), '')
  }
  const names = listJobFiles(directory).map(path => path.slice(directory.length + 1))
  assert.deepEqual(names, ['10.kron', '9.kron', 'B.kron', 'b.kron', 'ä.kron'])
  rmSync(directory, { recursive: true })
})
