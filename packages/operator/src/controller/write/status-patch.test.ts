import assert from 'node:assert/strict'
import { test } from 'node:test'
import { statusPatch } from './status-patch.ts'

test('equal statuses need no patch, whatever the order of their keys', () => {
  assert.equal(
    statusPatch({ lastReason: 'x', activeCount: 0 }, { activeCount: 0, lastReason: 'x' }),
    undefined,
  )
})

test('only what differs is sent, and what is to go is named', () => {
  const intent = { periodID: 'p', jobName: 'j', at: 't' }
  assert.deepEqual(
    statusPatch({ intent, activeCount: 1, lastReason: '' }, { activeCount: 2, lastReason: '' }),
    {
      activeCount: 2,
      intent: null,
    },
  )
  assert.deepEqual(statusPatch({ intent: { ...intent, replacing: true } }, { intent }), {
    intent: { ...intent, replacing: null },
  })
})
