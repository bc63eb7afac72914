import assert from 'node:assert/strict'
import { test } from 'node:test'
import { figuresOf } from './operator.ts'

test('the figures of the operator are read from what its suites print', () => {
  const output = `TAP version 13
        ok 2 - killed at 100 random moments, it starts every period once or says why not
          ---
          duration_ms: 90000
# tests 8
# pass 7
# fail 1
`
  assert.deepEqual(figuresOf(output), { kills: 100, tests: 7, violations: 1 })
})
