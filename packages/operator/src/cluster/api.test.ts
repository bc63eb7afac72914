import assert from 'node:assert/strict'
import { Agent, createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { Api } from './api.ts'
import { ApiError, isForbidden, isNotFound } from './api-error.ts'
import type { ClusterAccess } from './kubeconfig.ts'

async function serving(listener: RequestListener, use: (api: Api) => Promise<void>): Promise<void> {
  const server = createServer(listener)
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  const access: ClusterAccess = {
    server: `http://127.0.0.1:${port}`,
    namespace: 'default',
    credentials: async () => ({ tls: {}, headers: { authorization: 'Bearer secret' }, agent: new Agent() }),
  }
  try {
    await use(new Api(access, { timeout: 60_000 }))
  } finally {
    server.close()
    server.closeAllConnections()
  }
}

test('requests carry the token, the query and the body', async () => {
  await serving(
    (request, response) => {
      let body = ''
      request.on('data', chunk => {
        body += chunk
      })
      request.on('end', () => {
        const { method, url, headers } = request
        response.end(
          JSON.stringify({ method, url, body, auth: headers.authorization, type: headers['content-type'] }),
        )
      })
    },
    async api => {
      assert.deepEqual(await api.call('PATCH', '/a', { query: { dryRun: 'All' }, body: { x: 'ü' } }), {
        method: 'PATCH',
        url: '/a?dryRun=All',
        body: '{"x":"ü"}',
        auth: 'Bearer secret',
        type: 'application/merge-patch+json',
      })
    },
  )
})

test('refusals are errors with status and reason; an unserved path is not a missing object', async () => {
  await serving(
    ({ url }, response) => {
      if (url === '/missing')
        response.writeHead(404).end(JSON.stringify({ reason: 'NotFound', message: 'no such thing' }))
      else if (url === '/role') {
        const message = 'jobs.batch is forbidden: User "x" cannot create resource "jobs" in API group "batch"'
        response.writeHead(403).end(JSON.stringify({ reason: 'Forbidden', message }))
      } else response.writeHead(404).end('404 page not found\n')
    },
    async api => {
      const errors = await Promise.all(
        ['/missing', '/role', '/nowhere'].map(path => api.get(path).catch(error => error)),
      )
      assert.ok(errors.every(error => error instanceof ApiError))
      assert.deepEqual(errors.map(isNotFound), [true, false, false])
      assert.deepEqual(errors.map(isForbidden), [false, true, false])
      assert.equal(errors[2]?.message, '404 page not found')
    },
  )
})

test('a server that does not answer is given up', async () => {
  await serving(
    () => {},
    async api => {
      await assert.rejects(
        api.call('GET', '/slow', { timeout: 50.25 }),
        error => error instanceof ApiError && error.status === 0 && /abort|timeout/.test(error.message),
      )
    },
  )
})

test('a stream is cut into lines wherever the chunks end', async () => {
  await serving(
    (_request, response) => {
      response.write('{"a":1}\n{"b"')
      setImmediate(() => response.end(':"ü"}\n'))
    },
    async api => {
      const lines: string[] = []
      await api.stream('/watch', {}, line => lines.push(line), new AbortController().signal)
      assert.deepEqual(lines, ['{"a":1}', '{"b":"ü"}'])
    },
  )
})
