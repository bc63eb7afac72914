import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { createConnection, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { ask, WatchedMachine } from '@kron/testkit/krond/http/watched-machine'
import { HttpService } from './service.ts'
import { Token } from './token.ts'

const LINES = ['* * * * * name=often command=/bin/true']
const open: WatchedMachine[] = []
after(() => Promise.all(open.map(each => each.close())))

async function watch(options: ConstructorParameters<typeof WatchedMachine>[1] = {}): Promise<WatchedMachine> {
  const watched = new WatchedMachine('2026-03-01T10:00:30Z', options)
  open.push(watched)
  await watched.boot(LINES)
  return watched
}

/** Sends raw bytes and returns everything that comes back until the end. */
function speak(port: number, text: string): Promise<string> {
  return new Promise(resolve => {
    let heard = ''
    const socket = createConnection(port, '127.0.0.1', () => socket.write(text))
    socket.on('data', chunk => {
      heard += chunk
    })
    socket.on('error', () => {})
    socket.on('close', () => resolve(heard))
  })
}

test('a foreign host, a foreign origin and methods that a path has not are refused', async () => {
  const watched = await watch()
  assert.equal((await watched.get('/api/v1/jobs', { host: 'evil.example' })).status, 421)
  assert.equal((await watched.get('/api/v1/jobs', { origin: 'http://evil.example' })).status, 403)
  assert.equal((await watched.get('/metrics', { host: 'evil.example' })).status, 421)
  const post = await watched.get('/api/v1/jobs', { 'x-kron-request': '1' }, 'POST')
  assert.equal(post.status, 405)
  assert.equal(post.headers.allow, 'GET, HEAD')
})

test('no answer may be framed, sniffed, run scripts of others or be read by other sites', async () => {
  const watched = await watch()
  for (const path of ['/api/v1/jobs', '/nowhere', '/healthz', '/metrics']) {
    const { headers } = await watched.get(path)
    const policy = String(headers['content-security-policy'])
    assert.match(policy, /default-src 'none'.*frame-ancestors 'none'/)
    assert.doesNotMatch(policy, /unsafe|https?:|\*/)
    assert.equal(headers['x-content-type-options'], 'nosniff')
    assert.equal(headers['cross-origin-resource-policy'], 'same-origin')
    assert.equal(headers['access-control-allow-origin'], undefined)
  }
})

test('with a token nothing is told without it but health and the empty console', async () => {
  const page = { bytes: Buffer.from('<p>'), type: 'text/html', etag: '"1"', immutable: false }
  const token = new Token('a-long-enough-secret')
  const watched = await watch({ token, console: new Map([['/', page]]) })
  for (const path of ['/api/v1/jobs', '/api/v1/status', '/api/v1/events', '/metrics', '/api/v1/nothing']) {
    const { status, headers } = await watched.get(path)
    assert.equal(status, 401, path)
    assert.match(headers['www-authenticate']!, /Bearer/)
    assert.equal((await watched.get(path, { authorization: 'Bearer wrong' })).status, 401)
  }
  const authorization = 'Bearer a-long-enough-secret'
  assert.equal((await watched.get('/api/v1/jobs', { authorization })).status, 200)
  assert.equal((await watched.get('/metrics', { authorization })).status, 200)
  for (const path of ['/', '/healthz', '/readyz']) assert.equal((await watched.get(path)).status, 200, path)
})

test('no path leads out of the console', async () => {
  const page = { bytes: Buffer.from('<p>'), type: 'text/html', etag: '"1"', immutable: false }
  const watched = await watch({ console: new Map([['/', page]]) })
  const paths = [
    '/../../../../etc/passwd',
    '/assets/../../package.json',
    '/%2e%2e/%2e%2e/package.json',
    '/..%2f..%2fpackage.json',
    '/assets/%00',
    '/.stamp',
    '/api/v1/../../etc/passwd',
    '/api/v1/jobs/..%2f..%2fetc%2fpasswd',
  ]
  for (const path of paths) assert.equal((await watched.get(path)).status, 404, path)
  for (const path of ['//evil.example/', 'http://evil.example/'])
    assert.equal((await ask({ port: watched.port, path })).status, 400, path)
  assert.equal((await watched.get('/api/v1/jobs/%')).status, 400)
})

test('requests that are too large are refused', async () => {
  const watched = await watch()
  assert.equal((await watched.get(`/api/v1/jobs?q=${'x'.repeat(9_000)}`)).status, 414)
  assert.equal(
    (await ask({ port: watched.port, path: '/api/v1/jobs', body: 'x', headers: { 'content-length': '1' } }))
      .status,
    413,
  )
  const long = `GET / HTTP/1.1\r\nHost: localhost\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`
  assert.doesNotMatch(await speak(watched.port, long), /200 OK/)
  assert.equal((await watched.get('/healthz')).status, 200)
})

test('a connection can serve many requests without piling anything up', async () => {
  const watched = await watch()
  const warnings: Error[] = []
  const heed = (warning: Error): unknown => warnings.push(warning)
  process.on('warning', heed)
  const many = 'GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(40)
  const heard = await speak(
    watched.port,
    `${many}GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`,
  )
  assert.equal(heard.split('200 OK').length - 1, 41)
  await new Promise(resolve => setImmediate(resolve))
  process.off('warning', heed)
  assert.deepEqual(warnings, [])
})

test('a connection on which no request comes, or never ends, is closed', async () => {
  const watched = await watch({ limits: { patience: 100 } })
  assert.equal(await speak(watched.port, ''), '')
  assert.equal(await speak(watched.port, 'GET /healthz HTTP/1.1\r\nHost: localhost\r\nX: '), '')
  // Answered, then closed because it is idle; on a busy machine the first request itself may come too late.
  const answered = (): Promise<string> =>
    speak(watched.port, 'GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n')
  await untilAsync(async () => /200 OK/.test(await answered()))
})

test('connections beyond the limit are refused, and room comes back', async () => {
  const watched = await watch({ limits: { connections: 8, perPeer: 8, rate: 1_000 } })
  const sockets: Socket[] = []
  let closed = 0
  for (let i = 0; i < 40; i++) {
    const socket = createConnection(watched.port, '127.0.0.1')
    socket.on('error', () => {})
    socket.on('close', () => closed++)
    sockets.push(socket)
  }
  await until(() => closed >= 32)
  for (const socket of sockets) socket.destroy()
  await until(() => closed === 40)
  await untilAsync(async () => (await watched.get('/healthz').catch(() => undefined))?.status === 200)
})

test('connections of one peer that come too fast are refused', async () => {
  const watched = await watch({ limits: { rate: 5 } })
  const replies = await Promise.all(
    Array.from({ length: 50 }, () => watched.get('/healthz').catch(() => undefined)),
  )
  const answered = replies.filter(each => each !== undefined).length
  assert.ok(answered >= 1 && answered < 50, `${answered} were answered`)
})

test('a Unix socket is for its owner alone, and one that a dead daemon left is replaced', async () => {
  const path = join(mkdtempSync(join(tmpdir(), 'krond-http-')), 'http.sock')
  const address = { kind: 'unix', path } as const
  const options = {
    address,
    token: undefined,
    version: '',
    hash: () => '',
    now: Date.now,
    console: new Map(),
  }
  const first = new HttpService(options)
  await first.open()
  assert.equal(statSync(path).mode & 0o777, 0o600)
  assert.equal(
    (await ask({ socketPath: path, path: '/healthz', headers: { host: 'localhost' } })).status,
    200,
  )
  await assert.rejects(new HttpService(options).open(), /cannot listen/)
  first.close()
  await until(() => !existsSync(path))
  const left = createDeadSocket(path)
  await left
  const second = new HttpService(options)
  await second.open()
  assert.equal(
    (await ask({ socketPath: path, path: '/healthz', headers: { host: 'localhost' } })).status,
    200,
  )
  second.close()
  rmSync(join(path, '..'), { recursive: true })
})

/** Creates a socket file that no process listens on. */
async function createDeadSocket(path: string): Promise<void> {
  const { execFileSync } = await import('node:child_process')
  const script = `require('net').createServer().listen(${JSON.stringify(path)}, () => process.kill(process.pid, 'SIGKILL'))`
  try {
    execFileSync(process.execPath, ['-e', script], { stdio: 'ignore' })
  } catch {
    // The kill is on purpose: without it the file would be removed.
  }
  assert.ok(existsSync(path))
}

async function until(met: () => boolean): Promise<void> {
  await untilAsync(async () => met())
}

async function untilAsync(met: () => Promise<boolean>): Promise<void> {
  while (!(await met())) await new Promise(resolve => setTimeout(resolve, 10))
}
