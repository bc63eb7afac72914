// A plain HTTP server with two tasks. `node http.mjs`, then `curl localhost:8080/tasks`; PORT and STATE change the defaults.
import { createServer } from 'node:http'
import { fileStore, makeScheduler, runNow, tasksOf } from '@kron/scheduler'

const scheduler = makeScheduler({ store: fileStore(process.env.STATE ?? 'var/scheduler') })

const server = createServer(async (request, response) => {
  const [, run] = /^\/run\/(.+)$/.exec(request.url ?? '') ?? []
  try {
    const answer = run === undefined ? tasksOf(scheduler) : await runNow(scheduler, decodeURIComponent(run))
    response.setHeader('content-type', 'application/json').end(JSON.stringify(answer))
  } catch (error) {
    response.writeHead(404).end(error.message)
  }
})

await scheduler.initialize([
  ['sessions', '0 3 * * *', async () => console.log('deleting sessions older than a day'), '5m'],
  ['report', '30 8 * * 1-5', async () => console.log('mailing the report'), '1h'],
])
server.listen(Number(process.env.PORT ?? 8080), '127.0.0.1', () => {
  console.log(`listening on ${server.address().port}`)
})

process.once('SIGTERM', async () => {
  server.close()
  await scheduler.stop()
  console.log('stopped')
})
