import assert from 'node:assert/strict'
import { test } from 'node:test'
import Fastify from 'fastify'
import { memoryStore, type Scheduler, type Store, tasksOf, virtualClock } from '../index.ts'
import { kronPlugin } from './index.ts'

test('the scheduler begins with the server and ends with it', async () => {
  const clock = virtualClock('2026-06-10T12:00:00Z')
  const app = Fastify({ logger: false })
  let runs = 0
  app.register(kronPlugin, {
    store: memoryStore(),
    clock,
    tasks: () => [['a', '* * * * *', () => void runs++, 0]],
  })
  app.get('/tasks', async () => tasksOf((app as unknown as { scheduler: Scheduler }).scheduler))
  await app.ready()
  await clock.run(1_000)
  assert.equal(runs, 1)
  const { statusCode, body } = await app.inject('/tasks')
  assert.equal(statusCode, 200)
  assert.equal(JSON.parse(body)[0].name, 'a')
  await app.close()
  await clock.run(120_000)
  assert.equal(runs, 1)
})

test('a wrong list keeps the server from becoming ready', async () => {
  const app = Fastify({ logger: false })
  app.register(kronPlugin, { store: memoryStore(), tasks: [['a', 'never', () => {}, 0]] })
  await assert.rejects(async () => app.ready(), { name: 'CronExpressionInvalidError' })
  await app.close()
})

test('a server whose instance stands by serves all the same', async () => {
  const store: Store = {
    load: session =>
      new Promise((_, reject) => {
        session?.onStandby()
        session?.signal.addEventListener('abort', () => reject(session.signal.reason))
      }),
    commit: async () => {},
    close: () => {},
  }
  const app = Fastify({ logger: false })
  app.register(kronPlugin, { store, tasks: [], decorator: 'jobs' })
  app.get('/', async () => 'fine')
  assert.equal((await app.inject('/')).body, 'fine')
  await app.close()
})
