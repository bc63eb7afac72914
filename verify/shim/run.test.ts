import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'

const root = join(import.meta.dirname, '../..')

/** The suite where no program is installed. */
function bare(words: readonly string[], variables: NodeJS.ProcessEnv = {}) {
  const { CI: _, ...others } = process.env
  const env = { ...others, PATH: '/nonexistent', ...variables }
  return spawnSync(process.execPath, ['verify/shim/run.ts', ...words], { cwd: root, env, encoding: 'utf8' })
}

test('a part that was asked for and cannot run ends the suite with 1, and names the package', () => {
  const { status, stdout, stderr } = bare(['kills'])
  assert.deepEqual([status, stdout], [1, ''])
  assert.match(stderr, /^shim kills: there is no cc; install gcc libc6-dev$/m)
  assert.match(bare(['valgrind']).stderr, /^shim valgrind: there is no valgrind; install valgrind$/m)
})

test('in CI no part is skipped: the suite ends before the first one, and names every package', () => {
  const { status, stdout, stderr } = bare([], { CI: 'true' })
  assert.deepEqual([status, stdout], [1, ''])
  assert.match(stderr, /^shim kills: .*\n(?:.*\n)*shim valgrind: /m)
})

test('a part that does not exist is refused with the list of parts', () => {
  const { status, stdout } = bare(['kill'])
  assert.equal(status, 2)
  assert.match(stdout, /rebuild\|resident\|kills\|asan\|valgrind\|fuzz/)
})
