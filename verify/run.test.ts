import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { SUITES } from './suites.ts'

const root = join(import.meta.dirname, '..')
const verify = (...words: string[]) =>
  spawnSync(process.execPath, ['verify/run.ts', ...words], { cwd: root, encoding: 'utf8' })

test('every suite runs files that exist, and its example begins with its name', () => {
  for (const [name, { node, example }] of Object.entries(SUITES)) {
    const programs = node.filter(word => !word.startsWith('--'))
    assert.ok(programs.length > 0)
    for (const program of programs) assert.ok(existsSync(join(root, program)), `${name}: ${program}`)
    assert.ok(example === name || example.startsWith(`${name} `), `${name}: ${example}`)
  }
})

test('the help names every suite; an unknown one is refused with the list', () => {
  const { status, stdout } = verify('--help')
  assert.equal(status, 0)
  for (const name of Object.keys(SUITES)) assert.ok(stdout.includes(`  ${name} `), name)
  const unknown = verify('no-such')
  assert.equal(unknown.status, 2)
  assert.match(unknown.stderr, /^error: there is no suite no-such\n[\s\S]*simulate/)
})

test('a suite that takes options alone refuses a word, and does nothing', () => {
  const { status, stdout, stderr } = verify('reliability', '--age', 'fuzz')
  assert.deepEqual([status, stdout], [2, ''])
  assert.match(stderr, /^error: Unexpected argument 'fuzz'/)
})

test('a suite gets the words after its name, and its exit code is the answer', () => {
  const { status, stdout, stderr } = verify('simulate', '--help')
  assert.match(stdout + stderr, /--seeds N/)
  assert.equal(status, 0)
})
