import assert from 'node:assert/strict'
import { test } from 'node:test'
import { krontab } from '@kron/testkit/krontab/run-krontab'

const NOW = Date.parse('2026-03-01T00:00:00Z') / 1_000

test('a job without a window whose only second is refused is told the clause that refuses it', async () => {
  const { out } = await krontab(['explain', '0 12 * * * @only(hours=9)'], { now: NOW })
  assert.match(out, /attempts +none: the only second is refused by only hours=9/)
  const allowed = await krontab(['explain', '0 9 * * * @only(hours=9)'], { now: NOW })
  assert.match(allowed.out, /attempts +none needed/)
})
