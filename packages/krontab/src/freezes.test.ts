import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { test } from 'node:test'
import { printPauses } from '@kron/host'
import { krontab } from '@kron/testkit/krontab/host'

test('next says which of the periods a planned freeze will cost', async t => {
  const directory = mkdtempSync(`${tmpdir()}/kron-freeze-`)
  t.after(() => rmSync(directory, { recursive: true }))
  mkdirSync(`${directory}/krond`)
  writeFileSync(
    `${directory}/jobs.kron`,
    '0 * * * * name=a command=/bin/true\n0 * * * * name=b command=/bin/true\n',
  )
  const now = Date.UTC(2026, 2, 1) / 1_000
  const pause = { id: 'x', from: now + 1_800, until: now + 3 * 3_600, reason: 'a move', user: 'ada', at: now }
  writeFileSync(
    `${directory}/krond/pauses.json`,
    printPauses([{ ...pause, identity: `${directory}/jobs.kron:a` }]),
  )
  const stage = { now, uid: 1_000, env: { XDG_STATE_HOME: directory, HOME: directory } }
  const next = async (job: string) =>
    (await krontab(['next', job, '--file', `${directory}/jobs.kron`, '--count', '5'], stage)).out
  assert.match(
    await next('a'),
    /paused: a from 2026-03-01T00:30:00Z until 2026-03-01T03:00:00Z \(a move\); 2 periods of these will not run/,
  )
  assert.doesNotMatch(await next('b'), /paused/)
})
