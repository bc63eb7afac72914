import assert from 'node:assert/strict'
import { test } from 'node:test'
import { targetLabel } from './target-label.ts'

test('the label of a webhook has its host alone, because the path is often a password', () => {
  assert.equal(
    targetLabel({ kind: 'webhook', url: 'https://hooks.example:8443/T0/SECRET?key=SECRET#SECRET' }),
    'webhook:hooks.example:8443',
  )
})

test('the label of a mail address or a program is the target as it is written', () => {
  assert.equal(targetLabel({ kind: 'mail', address: 'ops@example.org' }), 'mail:ops@example.org')
  assert.equal(targetLabel({ kind: 'command', path: '/usr/local/bin/page' }), 'command:/usr/local/bin/page')
})
