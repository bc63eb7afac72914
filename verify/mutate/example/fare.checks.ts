import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fare } from './fare.ts'

test('small children ride free', () => {
  assert.equal(fare(3), 0)
})

test('others pay', () => {
  assert.equal(fare(40), 5)
})
