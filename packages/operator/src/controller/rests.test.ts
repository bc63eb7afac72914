import assert from 'node:assert/strict'
import { test } from 'node:test'
import { VirtualClock } from '@kron/runtime'
import { jobFor, TWO, TWO_NAME } from '@kron/testkit/operator/plan/fixtures'
import { Rests } from './rests.ts'

const REST = { jobName: TWO_NAME, catchUp: true, now: 1 }

function resting() {
  const ended: [string, boolean][] = []
  const clock = new VirtualClock({ now: 1_000 })
  const rests = new Rests({ clock, onEnd: (key, catchUp) => ended.push([key, catchUp]) })
  rests.begin('shop/backup', REST)
  return { ended, clock, rests }
}

test('a rest lasts for a second while the Job runs', async () => {
  const { ended, clock, rests } = resting()
  assert.equal(rests.of('shop/backup', [jobFor(TWO)]), REST)
  await clock.run(999)
  assert.deepEqual(ended, [])
  await clock.run(1)
  assert.deepEqual(ended, [['shop/backup', true]])
  assert.equal(rests.of('shop/backup', [jobFor(TWO)]), undefined)
})

test('a Job that ended, is being deleted or is gone ends it', () => {
  const { rests } = resting()
  const ended = jobFor(TWO, { finished: { succeeded: true, at: 1 } })
  for (const jobs of [[ended], [jobFor(TWO, { deleting: true })], []]) {
    assert.equal(rests.of('shop/backup', jobs), undefined)
  }
})

test('a rest that ended early does not end again', async () => {
  const { ended, clock, rests } = resting()
  assert.equal(rests.end('shop/backup'), true)
  assert.equal(rests.end('shop/backup'), false)
  await clock.run(5_000)
  assert.deepEqual(ended, [])
})
