import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FeedEvent, JobRecord, RunningRecord } from '../api/records.ts'
import { World } from './world.ts'

interface Daemon {
  readonly jobs: number
  readonly running?: readonly Partial<RunningRecord>[]
  /** Called when the running executions are asked for, before they are answered. */
  readonly asked?: (send: (event: Partial<FeedEvent>) => void) => Promise<void>
}

/** A world that looks at a daemon made of canned answers. */
async function look({ jobs, running = [], asked }: Daemon): Promise<World> {
  const feed = new TransformStream<Uint8Array, Uint8Array>()
  const writer = feed.writable.getWriter()
  let number = 0
  const send = (event: object, name = 'message'): void => {
    const text = `id: one.${++number}\nevent: ${name}\ndata: ${JSON.stringify(event)}\n\n`
    void writer.write(new TextEncoder().encode(text))
  }
  const answers: Readonly<Record<string, (url: URL) => object | Promise<object>>> = {
    status: () => ({ now: new Date().toISOString(), jobs, refusedFiles: [] }),
    viewer: () => ({ kind: 'anybody', user: null, maySeeOutput: false, mayAct: false, mayReload: false }),
    running: async () => {
      await asked?.(send)
      return { running, queue: [] }
    },
    jobs: ({ searchParams }) => page(Number(searchParams.get('after')), jobs),
  }
  globalThis.fetch = async (input, options) => {
    const url = new URL(String(input), 'http://krond')
    const name = url.pathname.split('/').at(-1)!
    if (name === 'events') {
      options!.signal!.addEventListener('abort', () => void writer.close())
      return new Response(feed.readable)
    }
    return Response.json(await answers[name]!(url))
  }
  const world = new World()
  const { promise: loaded, resolve } = Promise.withResolvers<void>()
  world.watch(() => world.jobsVersion > 0 && resolve())
  world.start()
  send({}, 'reset')
  await loaded
  world.stop()
  return world
}

function page(after: number, jobs: number): object {
  const end = Math.min(jobs, after + 1_000)
  const made = Array.from(
    { length: end - after },
    (_, i): Partial<JobRecord> => ({ schedule: '0 2 * * *', name: `${after + i}` }),
  )
  return { total: jobs, next: end < jobs ? String(end) : null, jobs: made }
}

test('all pages are put together, in the order of names', async () => {
  const world = await look({ jobs: 2_500 })
  assert.equal(world.jobs.length, 2_500)
  assert.deepEqual(
    world.jobs.slice(0, 3).map(({ name }) => name),
    ['0', '1', '10'],
  )
  assert.ok(!world.isPartial)
})

test('of very many jobs not all are kept, and it says so', async () => {
  const world = await look({ jobs: 60_000 })
  assert.equal(world.jobs.length, 50_000)
  assert.ok(world.isPartial)
})

test('an execution that ended while the running ones were asked for does not run for ever', async () => {
  const world = await look({
    jobs: 1,
    running: [{ executionId: 'ended' }, { executionId: 'runs' }],
    asked: async send => {
      send({ event: 'finished', time: '2030-01-01T00:00:00Z', execution_id: 'ended', exit_code: 0 })
      const begun = { executionId: 'begun' } as RunningRecord
      send({ event: 'started', time: '2030-01-01T00:00:00Z', execution_id: 'begun', running_record: begun })
      // Both are read before the answer: reading takes only microtasks.
      await new Promise(resolve => setTimeout(resolve))
    },
  })
  assert.deepEqual([...world.running.keys()].sort(), ['begun', 'runs'])
})
