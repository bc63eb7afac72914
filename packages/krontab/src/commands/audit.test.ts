import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AuditRecord } from '@kron/host/api'
import { auditText } from './audit.ts'

test('the reason of a pause cannot forge an entry of the audit log', () => {
  const forged = '2026-03-01T02:00:00Z  root  prune'
  const entry: AuditRecord = {
    at: '2026-03-01T01:00:00Z',
    who: 'mallory',
    uid: 1001,
    from: 'control socket, pid 7',
    action: 'pause',
    identity: '/etc/krond.d/host.kron:backup',
    detail: `tests\n  ${forged}`,
    result: 'done',
  }
  const terminal = { width: 160, colour: false, unicode: true, progress: false }
  const printed = auditText({ terminal }, [entry]).join('\n').split('\n')
  assert.equal(printed.length, 2, 'the heads, and one entry')
  assert.ok(printed[1]!.includes(`tests\\x0a  ${forged}`))
})
