import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expandPath } from './output.ts'

test('tokens stand for the chosen time in UTC and the name of the job', () => {
  const path = expandPath('/var/log/%N/%Y-%m-%d_%H%M%S-100%%.log', 'db/backup', '2026-03-01T02:04:09Z')
  assert.equal(path, '/var/log/db-backup/2026-03-01_020409-100%.log')
})
