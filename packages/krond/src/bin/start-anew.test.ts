import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'

const THRESHOLD = 'MALLOC_MMAP_THRESHOLD_'
const program = fileURLToPath(new URL('../../bin/krond.cjs', import.meta.url))

/** The output of the program, with a stub of this body for its bundle. */
function outputs(t: TestContext, word: string, body: string, given: Readonly<Record<string, string>> = {}) {
  const directory = mkdtempSync(join(tmpdir(), 'kron-anew-'))
  t.after(() => rmSync(directory, { recursive: true }))
  for (const name of ['bin', 'dist']) mkdirSync(join(directory, name))
  copyFileSync(program, join(directory, 'bin/krond.cjs'))
  writeFileSync(join(directory, 'dist/krond.cjs'), `exports.main = async () => {\n${body}\nreturn 0\n}`)
  const env = { PATH: process.env['PATH'], ...given }
  return spawnSync(process.execPath, [join(directory, 'bin/krond.cjs'), word], { env, encoding: 'utf8' })
}

/** The environment of the process, and the environment that jobs would inherit. */
function environments(
  t: TestContext,
  word: string,
  given: Readonly<Record<string, string>>,
): { readonly own: string | undefined; readonly inherited: string | undefined } {
  const body = `
    const own = require('node:fs').readFileSync('/proc/self/environ', 'latin1').split('\\0')
      .find(each => each.startsWith('${THRESHOLD}='))?.split('=')[1]
    console.log(JSON.stringify({ own, inherited: process.env.${THRESHOLD} }))`
  return { own: undefined, inherited: undefined, ...JSON.parse(outputs(t, word, body, given).stdout) }
}

if (process.platform === 'linux') {
  test('the daemon fixes the threshold of malloc for itself, and no job inherits it', t => {
    assert.deepEqual(environments(t, 'start', {}), { own: '+131072', inherited: undefined })
  })

  test('a threshold that somebody has set stays, for the daemon and for its jobs', t => {
    const given = { own: '4096', inherited: '4096' }
    assert.deepEqual(environments(t, 'start', { [THRESHOLD]: '4096' }), given)
  })

  test('other commands are not started anew', t => {
    assert.deepEqual(environments(t, 'status', {}), { own: undefined, inherited: undefined })
  })

  test('Node does not warn in the log of the FFI through which krond returns memory', t => {
    const { status, stderr } = outputs(t, 'start', `process.getBuiltinModule('node:ffi')`)
    assert.deepEqual({ status, stderr }, { status: 0, stderr: '' })
  })
}
