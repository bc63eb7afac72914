import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'

const HELP = ['--conditions=kron-source', join(import.meta.dirname, 'krond.ts'), '--help']

test('output that cannot be written is an error in one line', () => {
  const full = openSync('/dev/full', 'w')
  const { status, stderr } = spawnSync(process.execPath, HELP, {
    stdio: ['ignore', full, 'pipe'],
    encoding: 'utf8',
  })
  closeSync(full)
  assert.equal(stderr, 'error: cannot write the output: ENOSPC: no space left on device, write\n')
  assert.equal(status, 1)
})

test('output whose reader has gone ends krond quietly', t => {
  const directory = mkdtempSync(join(tmpdir(), 'krond-'))
  t.after(() => rmSync(directory, { recursive: true }))
  // The reader closes the pipe, and only then does krond start.
  const script = 'mkfifo closed; (cat closed >/dev/null; "$@"; echo "exit $?" >&2) | (exec <&-; echo >closed)'
  const { stderr } = spawnSync('sh', ['-c', script, 'sh', process.execPath, ...HELP], {
    cwd: directory,
    encoding: 'utf8',
  })
  assert.equal(stderr, 'exit 0\n')
})
