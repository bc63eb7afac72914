import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { openSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { exitWithoutReader } from '@kron/testkit/cli/gone-reader'

const path = (name: string): string => JSON.stringify(join(import.meta.dirname, name))
const node = (code: string): string[] => ['--conditions=kron-source', '--input-type=module', '--eval', code]

/** The two ways to print. Each program prints enough for several pipes and ends with 7; with 5 if it cannot write. */
const WAYS: Readonly<Record<string, (does: string) => string[]>> = {
  "Node's streams": does =>
    node(`import { endIfUnwritable, outputWritten } from ${path('unwritable.ts')}
      endIfUnwritable(5)
      const out = text => process.stdout.write(text)
      const error = text => process.stderr.write(text)
      ${does}
      await outputWritten()
      process.exit(7)`),
  'direct output': does =>
    node(`import { DirectOutput } from ${path('direct-output.ts')}
      const direct = new DirectOutput(5)
      const out = text => direct.out(text)
      const error = text => direct.error(text)
      ${does}
      process.exit(7)`),
}

const MUCH = `'x'.repeat(300_000)`
/** The streams tell of a lost reader between two writes. */
const MANY_ERRORS = `for (let i = 0; i < 9; i++) {
  error(${MUCH})
  await new Promise(resolve => setImmediate(resolve))
}`

for (const [way, program] of Object.entries(WAYS))
  describe(way, () => {
    test('everything is written before the exit', () => {
      const words = program(`out(${MUCH}); error(${MUCH})`)
      const { status, stdout, stderr } = spawnSync(process.execPath, words, { encoding: 'utf8' })
      assert.deepEqual([status, stdout.length, stderr.length], [7, 300_000, 300_000])
    })

    test('a reader of the output that has gone ends the program with 0', () => {
      assert.equal(exitWithoutReader('output', program(`out(${MUCH})`)), 0)
    })

    test('a reader of the errors that has gone leaves the program its own exit code', () => {
      assert.equal(exitWithoutReader('errors', program(MANY_ERRORS)), 7)
      assert.equal(exitWithoutReader('both', program(`${MANY_ERRORS}; out(${MUCH})`)), 7)
    })

    test('a full disk is an error in one line, and ends the program', () => {
      const full = openSync('/dev/full', 'w')
      const words = program(`out('a'); out('b')`)
      const { status, stderr } = spawnSync(process.execPath, words, {
        stdio: ['ignore', full, 'pipe'],
        encoding: 'utf8',
      })
      assert.equal(stderr, 'error: cannot write the output: ENOSPC: no space left on device, write\n')
      assert.equal(status, 5)
      const errors = spawnSync(process.execPath, program(`error('a')`), { stdio: ['ignore', 'ignore', full] })
      assert.equal(errors.status, 5)
    })
  })
