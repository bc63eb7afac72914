import assert from 'node:assert/strict'
import { test } from 'node:test'
import { VirtualClock } from '@kron/runtime'
import { kronJob } from '@kron/testkit/operator/plan/fixtures'
import type { Api, Call, Method } from './api.ts'
import { ApiError } from './api-error.ts'
import { Recorder } from './recorder.ts'

interface Written {
  readonly method: Method
  readonly body: { readonly reason?: string; readonly series?: { readonly count: number } }
}

function recording(calm?: () => Promise<void>) {
  const written: Written[] = []
  const state = { forgotten: false }
  const call = async (method: Method, _path: string, { body }: Call): Promise<void> => {
    written.push({ method, body: body as Written['body'] })
    if (method === 'PATCH' && state.forgotten) throw new ApiError(404, { reason: 'NotFound' }, 'patch')
  }
  const clock = new VirtualClock({ now: 1_000 })
  const recorder = new Recorder({
    api: { call } as unknown as Api,
    clock,
    instance: 'test',
    ...(calm && { calm }),
  })
  const tell = async (text: string): Promise<void> => {
    recorder.record(kronJob(), { type: 'Warning', reason: 'InvalidSpec', text })
    await clock.run(0)
  }
  return { written, state, clock, tell }
}

test('the same note again only counts up, at most once a minute', async () => {
  const { written, clock, tell } = recording()
  for (let i = 0; i < 5; i++) await tell('bad')
  assert.deepEqual(
    written.map(each => each.method),
    ['POST'],
  )
  await clock.run(61_000)
  await tell('bad')
  assert.deepEqual(
    written.map(each => each.method),
    ['POST', 'PATCH'],
  )
  assert.equal(written[1]!.body.series?.count, 6)
})

test('another note is another Event', async () => {
  const { written, tell } = recording()
  await tell('bad')
  await tell('worse')
  assert.deepEqual(
    written.map(each => each.method),
    ['POST', 'POST'],
  )
})

test('an Event that the server has forgotten is written anew', async () => {
  const { written, state, clock, tell } = recording()
  await tell('bad')
  state.forgotten = true
  await clock.run(61_000)
  await tell('bad')
  await tell('bad')
  assert.deepEqual(
    written.map(each => each.method),
    ['POST', 'PATCH', 'POST'],
  )
})

test('an Event waits for more important work, but for no longer than half a minute', async () => {
  let isCalm = (): void => {}
  const calm = () =>
    new Promise<void>(done => {
      isCalm = done
    })
  const { written, clock, tell } = recording(calm)
  await tell('bad')
  assert.equal(written.length, 0)
  isCalm()
  await clock.run(0)
  assert.equal(written.length, 1)
  await tell('worse')
  await clock.run(29_999)
  assert.equal(written.length, 1)
  await clock.run(1)
  assert.equal(written.length, 2)
})
