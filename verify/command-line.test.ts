import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'

/** A script that reads these words and prints what it got. */
function script(words: readonly string[], settings: object = {}) {
  const program = `
    const { commandLine } = await import(${JSON.stringify(new URL('command-line.ts', import.meta.url).href)})
    const options = { only: { type: 'string' } }
    const { values, positionals } = commandLine('usage: script\\n', options, ${JSON.stringify(settings)})
    console.log(JSON.stringify([values.only ?? '', ...positionals]))`
  const flags = ['--no-warnings', '--input-type=module', '--eval', program]
  return spawnSync(process.execPath, [...flags, '--', ...words], { encoding: 'utf8' })
}

test('a word whose option was forgotten is refused with the usage, and nothing runs', () => {
  const { status, stdout, stderr } = script(['engine'])
  assert.deepEqual([status, stdout], [2, ''])
  assert.match(stderr, /^error: Unexpected argument 'engine'.*\n\nusage: script\n/)
})

test('a script that takes words gets them beside its options', () => {
  const { status, stdout } = script(['engine', '--only', 'x', 'krond'], { takesWords: true })
  assert.deepEqual([status, stdout], [0, '["x","engine","krond"]\n'])
})

test('--help prints the usage and ends well', () => {
  const { status, stdout } = script(['--help'])
  assert.deepEqual([status, stdout], [0, 'usage: script\n'])
})
