import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { get } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { systemClock } from '@kron/runtime'
import { ScopedTokens } from '../api/scoped-tokens.ts'
import { resolveOptions } from '../config/options.ts'
import { StartPriority } from '../effects/start-priority.ts'
import { makeHttpService } from './make.ts'
import { Token, tokenPath } from './token.ts'

const account = { uid: 0, env: {} }
const make = (flags: Readonly<Record<string, string>>) =>
  makeHttpService(
    resolveOptions(flags, {}, account),
    new StartPriority(systemClock),
    new ScopedTokens('/nowhere'),
  )

test('without --listen nothing is served', async () => {
  assert.equal(await make({}), undefined)
})

test('beyond this machine a token and TLS are needed', async t => {
  for (const listen of ['0.0.0.0:0', '10.1.2.3:9723', '[::]:9723', 'krond.internal:9723'])
    await assert.rejects(make({ listen }), /a token and TLS are needed/, listen)
  for (const listen of ['9723', '127.0.0.1:0', '[::1]:0', 'localhost:0', '/run/krond/http.sock'])
    assert.ok(await make({ listen }), listen)
  const { cert, key } = certificate(t)
  const tls = { listen: '0.0.0.0:0', 'tls-cert': cert, 'tls-key': key }
  assert.ok(await make(tls))
  await assert.rejects(make({ ...tls, 'tls-key': cert }), /are no certificate with its key/)
  await assert.rejects(make({ listen: '0.0.0.0:0', 'tls-cert': cert }), /needs a certificate and its key/)
})

test('a token file must be a secret: for its owner only, and long enough to be one', async t => {
  const file = join(directoryOf(t), 'token')
  const listen = '127.0.0.1:0'
  await assert.rejects(make({ listen, 'token-file': file }), /cannot use the token file/)
  writeFileSync(file, 'long enough to be one\n', { mode: 0o644 })
  await assert.rejects(make({ listen, 'token-file': file }), /others may read it/)
  chmodSync(file, 0o600)
  assert.ok(await make({ listen, 'token-file': file }))
  writeFileSync(file, 'short\n')
  await assert.rejects(make({ listen, 'token-file': file }), /shorter than 16/)
})

test('krond makes a token for itself once, readable by its user alone', t => {
  const path = tokenPath(directoryOf(t))
  Token.readOrMake(path)
  const secret = readFileSync(path, 'utf8').trim()
  assert.equal(statSync(path).mode & 0o777, 0o600)
  assert.ok(secret.length >= 43)
  assert.ok(Token.readOrMake(path).is(secret))
  chmodSync(path, 0o640)
  assert.throws(() => Token.readOrMake(path), /others may read it/)
})

test('HTTPS is served with the certificate, and nothing is told without the token', async t => {
  const directory = directoryOf(t)
  const { cert, key } = certificate(t)
  const service = (await make({
    listen: '0.0.0.0:0',
    'tls-cert': cert,
    'tls-key': key,
    'state-dir': directory,
  }))!
  t.after(() => service.close())
  const address = await service.open()
  assert.equal(address.kind, 'tcp')
  const { port } = address as { port: number }
  const status = (path: string, headers = {}): Promise<number> =>
    new Promise((resolve, reject) => {
      get({ host: '127.0.0.1', port, path, headers, ca: readFileSync(cert), agent: false }, response => {
        response.resume()
        resolve(response.statusCode!)
      }).on('error', reject)
    })
  assert.equal(await status('/healthz'), 200)
  assert.equal(await status('/api/v1/viewer'), 401)
  const authorization = `Bearer ${readFileSync(tokenPath(directory), 'utf8').trim()}`
  // The token is right, but there is no daemon behind this service yet.
  assert.equal(await status('/api/v1/viewer', { authorization }), 503)
})

function directoryOf(t: TestContext): string {
  const directory = mkdtempSync(join(tmpdir(), 'krond-token-'))
  t.after(() => rmSync(directory, { recursive: true }))
  return directory
}

function certificate(t: TestContext): { cert: string; key: string } {
  const directory = directoryOf(t)
  const [cert, key] = [join(directory, 'cert.pem'), join(directory, 'key.pem')]
  const words = `req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 1 -subj /CN=localhost -addext subjectAltName=IP:127.0.0.1 -keyout ${key} -out ${cert}`
  execFileSync('openssl', words.split(' '), { stdio: 'ignore' })
  return { cert, key }
}

test('an address that is none is refused by name', () => {
  assert.throws(() => resolveOptions({ listen: 'nonsense' }, {}, account), /--listen must be host:port/)
  assert.throws(
    () => resolveOptions({}, {}, { uid: 0, env: { KROND_LISTEN: '1:2:3' } }),
    /KROND_LISTEN must be/,
  )
})
