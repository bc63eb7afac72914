import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { terminalOf } from '@kron/cli'
import { exitWithoutReader } from '@kron/testkit/cli/gone-reader'
import { krontab } from '@kron/testkit/krontab/run-krontab'

test('colour and progress are for terminals, and NO_COLOR is obeyed', () => {
  const screen = { columns: 120, progress: true }
  assert.deepEqual(terminalOf({ LANG: 'en_GB.UTF-8' }, screen), {
    width: 120,
    colour: true,
    unicode: true,
    progress: true,
  })
  assert.equal(terminalOf({ NO_COLOR: '1' }, screen).colour, false)
  assert.equal(terminalOf({ TERM: 'dumb' }, screen).colour, false)
  const pipe = terminalOf({ LC_ALL: 'C', LANG: 'en_GB.UTF-8' }, { columns: undefined, progress: false })
  assert.deepEqual(pipe, { width: 80, colour: false, unicode: false, progress: false })
})

test('the width is that of the terminal, within reason', () => {
  const width = (env: Record<string, string>, columns?: number) =>
    terminalOf(env, { columns, progress: false }).width
  assert.deepEqual(
    [width({}, 20), width({}, 1_000), width({ COLUMNS: '100' }), width({ COLUMNS: 'x' }, 90)],
    [40, 160, 100, 90],
  )
})

test('the version tells that of the time zone data', async () => {
  const { out } = await krontab(['--version'])
  assert.match(
    out,
    /^krontab \d+\.\d+\.\d+ \(Node [\d.]+, ICU [\d.]+, time zones: (?:tzdata|ICU) \d{4}[a-z]\)\n$/,
  )
})

test('output that cannot be written is an error in one line, with exit status 2', () => {
  const bin = new URL('../bin/krontab.ts', import.meta.url).pathname
  const words = ['--conditions=kron-source', bin, 'next', '@daily', '--at', '2026-03-01']
  const { status, stderr } = spawnSync(process.execPath, words, {
    stdio: ['ignore', openSync('/dev/full', 'w'), 'pipe'],
    encoding: 'utf8',
  })
  assert.equal(stderr, 'error: cannot write the output: ENOSPC: no space left on device, write\n')
  assert.equal(status, 2)
})

test('a failure stays one if the reader of standard error is gone', t => {
  const bin = new URL('../bin/krontab.ts', import.meta.url).pathname
  const directory = mkdtempSync(join(tmpdir(), 'kron-closed-'))
  t.after(() => rmSync(directory, { recursive: true }))
  writeFileSync(join(directory, 'bad.kron'), '61 2 * * * name=bad command=/bin/true\n')
  const words = ['--conditions=kron-source', bin, 'next', '--file', 'bad.kron']
  assert.equal(exitWithoutReader('errors', words, directory), 2)
  assert.equal(exitWithoutReader('both', words, directory), 2)
})
