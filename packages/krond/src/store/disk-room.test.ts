import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Event } from '../log/event.ts'
import { DiskRoom, type FreeRoom } from './disk-room.ts'

const PLENTY: FreeRoom = { bytes: 2 ** 40, totalBytes: 2 ** 41, files: 1e6 }

test('a read-only state directory stops starts, and they go on when it can be written again', t => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  let found: FreeRoom = { ...PLENTY, isReadOnly: true }
  const told: Event[] = []
  let backs = 0
  const room = new DiskRoom({
    directory: '/var/lib/krond',
    emit: event => told.push(event),
    back: () => backs++,
    look: () => found,
  })
  assert.equal(room.mayStart(), false)
  assert.equal(room.problem, '/var/lib/krond is read-only')
  t.mock.timers.tick(2_000)
  assert.equal(room.mayStart(), false)
  found = PLENTY
  t.mock.timers.tick(2_000)
  assert.equal(room.mayStart(), true)
  assert.equal(backs, 1)
  assert.deepEqual(
    told.map(each => each.event),
    ['error', 'disk_room'],
  )
  room.close()
})
