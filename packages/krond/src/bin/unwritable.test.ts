import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { openSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

const HELP = ['--conditions=kron-source', join(import.meta.dirname, 'krond.ts'), '--help']

test('output that cannot be written is an error in one line', () => {
  const { status, stderr } = spawnSync(process.execPath, HELP, {
    stdio: ['ignore', openSync('/dev/full', 'w'), 'pipe'],
    encoding: 'utf8',
  })
  assert.equal(stderr, 'error: cannot write the output: ENOSPC: no space left on device, write\n')
  assert.equal(status, 1)
})

test('a reader that takes only the first line ends krond quietly', () => {
  const script = '("$@"; echo "exit $?" >&2) | head -n 1'
  const { stdout, stderr } = spawnSync('sh', ['-c', script, 'sh', process.execPath, ...HELP], {
    encoding: 'utf8',
  })
  assert.match(stdout, /^krond/)
  assert.equal(stderr, 'exit 0\n')
})
