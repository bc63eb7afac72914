import assert from 'node:assert/strict'
import { test } from 'node:test'
import { job, machineWith } from '@kron/testkit/krond/conformance/scenario'

test('the event queued tells the limit of runs from a full disk', async () => {
  let mayStart = true
  const machine = await machineWith(
    [job('* * * * * @policy(concurrency=replace,deadline=10m)'), job('0 0 * * * @policy(deadline=10m)', 'b')],
    { maxConcurrent: 1, mayStart: () => mayStart },
  )
  machine.processes.behave = () => ({ lives: 600_000 })
  await machine.run(45)
  // A replacement takes the place of the run that it ends, so only the disk can keep it waiting.
  mayStart = false
  await machine.run(60)
  const queued = machine.events.filter(each => each.event === 'queued')
  assert.deepEqual(
    queued.map(each => [each.identity, each['reason']]),
    [
      ['/jobs.kron:b', 'max_concurrent'],
      ['/jobs.kron:a', 'disk'],
    ],
  )
})
