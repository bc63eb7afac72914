// A Fastify server whose tasks begin and end with it. `npm install fastify @kron/scheduler`, then `node fastify.mjs`.
import { memoryStore, runNow, tasksOf } from '@kron/scheduler'
import { kronPlugin } from '@kron/scheduler/fastify'
import Fastify from 'fastify'

const app = Fastify()

app.register(kronPlugin, {
  store: memoryStore(),
  schedules: 'kron',
  namespace: 'shop',
  tasks: fastify => [
    // Some second between 2 and 4 in the morning in Paris, the same one on every machine.
    ['invoices', '0 2 * * * @tz(Europe/Paris) @win(after,2h)', async () => fastify.log.info('writing'), '5m'],
  ],
})

app.get('/tasks', async () => tasksOf(app.scheduler))
app.get('/run/:name', async request => runNow(app.scheduler, request.params.name))

await app.listen({ port: Number(process.env.PORT ?? 8080), host: '127.0.0.1' })
console.log(`listening on ${app.server.address().port}`)

process.once('SIGTERM', async () => {
  await app.close()
  console.log('stopped')
})
