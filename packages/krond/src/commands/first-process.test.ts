import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const WARNING = /level=warn .*running as PID 1: orphans are not reaped; use an init such as tini/
const program = fileURLToPath(new URL('../bin/krond.ts', import.meta.url))
const UNSHARE = ['unshare', '--pid', '--fork', '--mount-proc']
const PRETEND = "data:text/javascript,Object.defineProperty(process, 'pid', { value: 1 })"

const canUnshare = spawnSync(UNSHARE[0]!, [...UNSHARE.slice(1), 'true']).status === 0

test('the first process of a container is told that it should not be', t => {
  const directory = mkdtempSync(`${tmpdir()}/kron-first-`)
  t.after(() => rmSync(directory, { recursive: true }))
  writeFileSync(`${directory}/jobs`, '0 0 1 1 * name=a command=/bin/true\n', { mode: 0o644 })
  // The daemon exits as soon as it sees that other users may read this directory.
  mkdirSync(`${directory}/state`, { mode: 0o755 })
  const start = (before: readonly string[], flags: readonly string[]) => {
    const [command, ...words] = [...before, process.execPath, '--conditions=kron-source', ...flags, program]
    const options = ['--config', `${directory}/jobs`, '--state-dir', `${directory}/state`]
    return spawnSync(command!, [...words, 'start', ...options, '--log-format', 'text'], { encoding: 'utf8' })
  }
  const first = canUnshare ? start(UNSHARE, []) : start([], ['--import', PRETEND])
  assert.equal(first.status, 2, first.stderr)
  assert.match(first.stderr, WARNING)
  const second = start([], [])
  assert.equal(second.status, 2, second.stderr)
  assert.doesNotMatch(second.stderr, WARNING)
})
