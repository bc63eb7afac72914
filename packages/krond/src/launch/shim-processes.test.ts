import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Entry, FollowAnswer, Shim } from '@kron/host'
import { VirtualClock } from '@kron/runtime'
import type { Trace } from '../effects/ports.ts'
import { ShimProcesses, type ShimProcessesParts } from './shim-processes.ts'

/** The trace of an earlier start about which serve answers after this time. */
async function traceAfter(answerMs: number, answer: FollowAnswer): Promise<Trace> {
  const clock = new VirtualClock({ now: 0 })
  const follow = (): Promise<FollowAnswer> =>
    new Promise(resolve => {
      clock.setTimer(answerMs, () => resolve(answer))
    })
  const shim = { follow } as unknown as Shim
  const boot = { id: 'boot', time: () => clock.now() }
  const processes = new ShimProcesses({ shim, clock, boot } as unknown as ShimProcessesParts)
  const trace = processes.follow({} as Entry, 'claim')
  await clock.advance(20_000)
  return trace
}

test('an earlier start that is refused after five seconds never ran, so its period is free', async () => {
  assert.deepEqual(await traceAfter(6_000, { kind: 'gone' }), { kind: 'never' })
})

test('an earlier start that is under way for more than ten seconds counts as running, so nothing runs twice', async () => {
  const trace = await traceAfter(11_000, { kind: 'gone' })
  assert.equal(trace.kind, 'running')
  assert.equal(trace.kind === 'running' && (await trace.run.ended).reason, 'unknown')
})
