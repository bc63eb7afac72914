import assert from 'node:assert/strict'
import { type SpawnSyncOptions, spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import { type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { askDaemon, openLockFile, writeHolder } from '@kron/host'
import { status } from './control.ts'

const NOBODY = 65_534
const isRoot = process.getuid?.() === 0

/** A state directory that is held by this process, which serves nothing there. */
function heldDirectory(t: TestContext): string {
  const directory = mkdtempSync(`${tmpdir()}/kron-control-`)
  writeHolder(openLockFile(`${directory}/lock`))
  t.after(() => {
    chmodSync(directory, 0o700)
    rmSync(directory, { recursive: true })
  })
  return directory
}

test('status of a daemon that does not serve it yet says that it is starting', async t => {
  const directory = heldDirectory(t)
  await assert.rejects(status({ 'state-dir': directory, 'runtime-dir': directory }), {
    message: `krond ${process.pid} does not answer yet: it is starting, or about to end`,
    hint: /^try again in a moment/,
  })
})

test('status of a daemon that is stopped or blocked gives up and says so', async t => {
  const directory = heldDirectory(t)
  const silent = createServer().listen(`${directory}/control.sock`)
  t.after(() => silent.close())
  assert.equal(await askDaemon([`${directory}/control.sock`], { request: 'status' }, 1), 'silent')
  await assert.rejects(status({ 'state-dir': directory, 'runtime-dir': directory }), {
    message: `krond ${process.pid} does not answer`,
    hint: /it is very busy, or stopped/,
  })
})

test('a daemon that others may not look at is not said to be absent: the owner is named', t => {
  const directory = heldDirectory(t)
  const stateDir = `${directory}/state`
  mkdirSync(stateDir)
  writeHolder(openLockFile(`${stateDir}/lock`))
  // Root may read any directory.
  const somebody: SpawnSyncOptions = isRoot ? { uid: NOBODY, gid: NOBODY } : {}
  chmodSync(directory, 0o711)
  chmodSync(stateDir, isRoot ? 0o700 : 0o000)
  const program = fileURLToPath(new URL('../bin/krond.ts', import.meta.url))
  for (const command of ['status', 'reload', 'stop']) {
    const { status, stderr } = spawnSync(
      process.execPath,
      ['--conditions=kron-source', program, command, '--state-dir', stateDir],
      { ...somebody, encoding: 'utf8' },
    )
    assert.equal(status, 1)
    assert.equal(
      stderr,
      `error: Cannot tell whether krond is running: no permission to read ${stateDir}\n` +
        `  hint: try as ${isRoot ? 'root' : userInfo().username}, or name another with --state-dir\n`,
    )
  }
  chmodSync(stateDir, 0o700)
})
