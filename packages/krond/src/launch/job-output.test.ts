import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Entry } from '@kron/host'
import type { Event } from '../log/event.ts'
import { JobOutput } from './job-output.ts'

test('output beyond its share of a second becomes one line that counts it, for each run', t => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const emitted: Event[] = []
  const output = new JobOutput(event => emitted.push(event))
  for (const ref of [1, 2]) output.expect(ref, { identity: `/a.kron:${ref}` } as Entry, `run-${ref}`)
  const line = `${'x'.repeat(1_023)}\n`
  for (let i = 0; i < 300; i++) for (const ref of [1, 2]) output.receive(ref, 'out', 0, line)
  output.receive(2, 'out', 500, '')
  assert.equal(emitted.length, 256)
  t.mock.timers.tick(1_000)
  const reports = emitted.slice(256)
  assert.deepEqual(
    reports.map(each => ('droppedBytes' in each ? [each.identity, each.droppedBytes] : each)),
    [
      ['/a.kron:1', 172 * 1_024],
      ['/a.kron:2', 172 * 1_024 + 500],
    ],
  )
  output.receive(1, 'err', 0, 'again\n')
  assert.equal(emitted.length, 259)
})
