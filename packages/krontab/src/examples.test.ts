import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { argvOf, listJobFiles, parseJobFile } from '@kron/host'
import { krontab } from '@kron/testkit/krontab/run-krontab'

const files = listJobFiles(fileURLToPath(new URL('../../../examples', import.meta.url)))

test('the examples have no errors and no warnings, whatever the season', async () => {
  assert.ok(files.length >= 3)
  for (const at of ['2026-01-15T00:00:00Z', '2026-07-01T00:00:00Z', '2027-12-20T00:00:00Z']) {
    const words = files.flatMap(file => ['--file', file])
    const { code, out } = await krontab(['lint', '--strict', '--at', at, ...words])
    assert.equal(code, 0, out)
  }
})

test('the examples are harmless and run as anybody', () => {
  for (const file of files) {
    for (const entry of parseJobFile(readFileSync(file, 'utf8'), file).entries) {
      const { user, group, cwd } = entry.settings
      assert.deepEqual([user, group, cwd], [null, null, null], entry.name)
      const program = entry.shell ? '/bin/sh' : argvOf(entry)[0]!
      assert.ok(['/bin/echo', '/bin/sleep', '/bin/sh'].includes(program), entry.name)
      if (entry.shell)
        assert.match(entry.command, /^((sleep \d+|echo [\w ]+( >&2)?|exit \d+)(; )?)+$/, entry.name)
    }
  }
})
