import assert from 'node:assert/strict'
import { test } from 'node:test'
import { disturbancesOf } from './quiet.ts'

test('a machine with other work or a greedy hypervisor is disturbed, and the reason is named', () => {
  assert.deepEqual(disturbancesOf(0.9, 2, 0.01), [])
  assert.deepEqual(disturbancesOf(5.2, 2, 0), ['load 5.2 at the beginning, at most 1.0 is quiet'])
  assert.deepEqual(disturbancesOf(0, 2, 0.12), ['12 % of the processors stolen, at most 5 % is quiet'])
})
