import assert from 'node:assert/strict'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { STORE_KINDS } from '@kron/testkit/scheduler/restart/lasting-store'
import { Lives } from '@kron/testkit/scheduler/restart/lives'

const KILLS = Number(process.env['KRON_KILLS'] ?? 25)

for (const kind of STORE_KINDS)
  test(`a process killed again and again loses no record of a ${kind} store and restarts every orphan exactly once`, {
    timeout: 600_000,
  }, async () => {
    const lives = new Lives(kind, mkdtempSync(join(tmpdir(), 'kron-kill-')))
    try {
      for (let life = 0; life < KILLS; life++) {
        // Every second lifetime counts from the first call, so that the process does some work on a slow machine too.
        await lives.next({ lifetime: (life * 37) % 110, from: life % 2 === 0 ? 'birth' : 'first call' })
      }
      lives.check()
      assert.ok(lives.orphans > 0 && lives.calls > KILLS, `${lives.orphans} orphans, ${lives.calls} calls`)
    } finally {
      lives.remove()
    }
  })
