import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { parseAddress } from './address.ts'
import { type GuardOptions, objection, viewerOf } from './guard.ts'
import type { RequestFacts } from './request-facts.ts'
import { Token } from './token.ts'

const REQUEST: RequestFacts = {
  method: 'GET',
  path: '/api/v1/jobs',
  host: '127.0.0.1:9723',
  origin: undefined,
  authorization: undefined,
  intent: undefined,
  contentType: undefined,
  peer: '127.0.0.1',
  hasBody: false,
}
const OPTIONS: GuardOptions = {
  address: { kind: 'tcp', host: '127.0.0.1', port: 9723 },
  hostname: 'workhorse',
}

const statusOf = (facts: Partial<RequestFacts>, options: Partial<GuardOptions> = {}): number =>
  objection({ ...REQUEST, ...facts }, { ...OPTIONS, ...options })?.status ?? 200

test('own names and bare addresses are served, foreign names are not', () => {
  for (const host of [
    '127.0.0.1:9723',
    'localhost:9723',
    'LOCALHOST',
    '[::1]:9723',
    '10.0.0.5',
    'workhorse:9723',
  ])
    assert.equal(statusOf({ host }), 200, host)
  const foreign = [
    'evil.example',
    'localhost.evil.example',
    '127.0.0.1.evil.example:9723',
    'a@127.0.0.1',
    '',
    undefined,
  ]
  for (const host of foreign) assert.equal(statusOf({ host }), 421, String(host))
})

test('the name one listens on is an own name', () => {
  const address = parseAddress('krond.internal:9723')!
  assert.equal(statusOf({ host: 'krond.internal:9723' }, { address }), 200)
  assert.equal(statusOf({ host: 'krond.internal:9723' }), 421)
})

test('no host name but the few own ones gets through', () => {
  fc.assert(
    fc.property(fc.domain(), host => {
      assert.equal(statusOf({ host }), 421)
    }),
  )
})

test('a page of another origin is refused, our own is not', () => {
  assert.equal(statusOf({ origin: 'http://127.0.0.1:9723' }), 200)
  for (const origin of ['http://evil.example', 'null', 'http://127.0.0.1:9724', 'http://localhost:9723', ''])
    assert.equal(statusOf({ origin }), 403, origin)
})

test('only reading and marked writes are allowed, under a path of sensible length', () => {
  for (const method of ['PUT', 'DELETE', 'PATCH', 'OPTIONS', 'CONNECT'])
    assert.equal(statusOf({ method }), 405, method)
  assert.equal(statusOf({ hasBody: true }), 413)
  assert.equal(statusOf({ path: `/${'x'.repeat(9_000)}` }), 414)
  const write = { method: 'POST', intent: '1', hasBody: true, contentType: 'application/json' }
  assert.equal(statusOf(write), 200)
  assert.equal(statusOf({ ...write, contentType: 'application/json; charset=utf-8' }), 200)
})

test('a form of another page can send no write', () => {
  // The three content types that a form can send, and no content type.
  for (const contentType of [
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'text/plain',
    undefined,
  ]) {
    assert.equal(statusOf({ method: 'POST', hasBody: true, contentType }), 403, String(contentType))
    assert.equal(
      statusOf({ method: 'POST', hasBody: true, contentType, intent: '1' }),
      415,
      String(contentType),
    )
  }
  assert.equal(statusOf({ method: 'POST' }), 403)
  assert.equal(statusOf({ method: 'POST', intent: '1', origin: 'http://evil.example' }), 403)
})

test('whoever brings the token is an operator; a wrong token is refused, no token sees the public part', () => {
  const token = new Token('correct horse battery staple'.replaceAll(' ', '-'))
  for (const isTokenRequired of [true, false]) {
    const kind = (authorization: string | undefined): string | undefined =>
      viewerOf(
        { authorization, peer: '127.0.0.1' },
        { address: OPTIONS.address, token, furtherTokens: undefined, isTokenRequired },
      )?.kind
    assert.equal(kind('Bearer correct-horse-battery-staple'), 'operator')
    assert.equal(kind(undefined), isTokenRequired ? undefined : 'anybody')
    for (const wrong of ['', 'Bearer', 'Bearer correct', 'Basic correct-horse-battery-staple'])
      assert.equal(kind(wrong), undefined, wrong)
  }
})

test('addresses are read as a person writes them', () => {
  assert.deepEqual(parseAddress('9723'), { kind: 'tcp', host: '127.0.0.1', port: 9723 })
  assert.deepEqual(parseAddress('[::1]:80'), { kind: 'tcp', host: '::1', port: 80 })
  assert.deepEqual(parseAddress('0.0.0.0:80'), { kind: 'tcp', host: '0.0.0.0', port: 80 })
  assert.deepEqual(parseAddress('/run/krond/http.sock'), { kind: 'unix', path: '/run/krond/http.sock' })
  for (const wrong of ['', 'localhost', ':80', '1:2:3', '[nonsense]:80', '127.0.0.1:70000', '80x'])
    assert.equal(parseAddress(wrong), undefined, wrong)
})
