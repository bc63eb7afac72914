import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { openSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

test('output that cannot be written is an error in one line, with exit status 1 as for every failure of crontab', () => {
  const program = JSON.stringify(join(import.meta.dirname, 'program.ts'))
  const code = `import { crontabProgram } from ${program}\nprocess.exitCode = await crontabProgram(['-V'])`
  const words = ['--conditions=kron-source', '--input-type=module', '--eval', code]
  const { status, stderr } = spawnSync(process.execPath, words, {
    stdio: ['ignore', openSync('/dev/full', 'w'), 'pipe'],
    encoding: 'utf8',
  })
  assert.equal(stderr, 'error: cannot write the output: ENOSPC: no space left on device, write\n')
  assert.equal(status, 1)
})
