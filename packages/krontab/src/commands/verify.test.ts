import assert from 'node:assert/strict'
import { test } from 'node:test'
import { krontab } from '@kron/testkit/krontab/run-krontab'

test('a state directory that is not there is no mismatch: the exit status is 2, as for a log', async () => {
  for (const option of ['--state-dir', '--log']) {
    const { code, err } = await krontab(['verify', option, '/nonexistent'])
    assert.equal(code, 2, option)
    assert.match(err, /^error: .*\/nonexistent/)
  }
})
