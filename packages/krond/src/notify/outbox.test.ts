import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { test } from 'node:test'
import { nodeDisk } from '@kron/runtime'
import type { Notice } from './notice.ts'
import { Outbox } from './outbox.ts'

const notice = (n: number): Notice =>
  ({
    key: `key-${n}`,
    event: 'failed',
    record: { text: 'x'.repeat(1_000) },
    count: 1,
    at: n,
  }) as unknown as Notice

test('with megabytes of open notices, a delivery does not copy all of them again', async t => {
  const directory = mkdtempSync(`${tmpdir()}/kron-outbox-`)
  t.after(() => rmSync(directory, { recursive: true }))
  let created = 0
  const disk: typeof nodeDisk = Object.assign(Object.create(nodeDisk), {
    create: (...given: Parameters<typeof nodeDisk.create>) => {
      created++
      return nodeDisk.create(...given)
    },
  })
  const outbox = await Outbox.open(disk, directory)
  await Promise.all(Array.from({ length: 3_000 }, (_, n) => outbox.add(notice(n))))
  const before = created
  for (let n = 0; n < 200; n++) await outbox.close(`key-${n}`)
  assert.ok(created - before <= 2, `${created - before} files were created`)
  await outbox.shut()
  const again = await Outbox.open(disk, directory)
  assert.equal(again.size, 2_800)
  await again.shut()
})
