import assert from 'node:assert/strict'
import { test } from 'node:test'
import { scheduleOf } from '@kron/testkit/reading'

test('a schedule that says nothing else runs at once, in UTC, never twice at a time and never late', () => {
  const { window, policy, seed, zone, constraints } = scheduleOf('0 2 * * *')
  assert.deepEqual(window, { mode: 'after', duration: 0 })
  assert.deepEqual(policy, { concurrency: 'forbid', deadline: 0, suspend: false })
  assert.deepEqual(seed, { strategy: 'stable', salt: '' })
  assert.deepEqual([zone.name, constraints], ['UTC', {}])
})
