import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { jobRoute, parseRoute, printRoute, VIEWS } from './route.ts'

test('a route survives the address bar', () => {
  const parameters = fc.dictionary(fc.stringMatching(/^[a-z]{1,8}$/), fc.string({ minLength: 1 }))
  fc.assert(
    fc.property(fc.constantFrom(...VIEWS), parameters, (view, given) => {
      assert.deepEqual(parseRoute(printRoute(view, given)), { view, parameters: { ...given } })
    }),
  )
})

test('an identity with slashes, colons and blanks names its job', () => {
  const { view, parameters } = parseRoute(
    jobRoute('/etc/krond.d/a b.kron:backup/db', { why: '2026-03-01T02:00:00Z' }),
  )
  assert.equal(view, 'job')
  assert.deepEqual(parameters, { id: '/etc/krond.d/a b.kron:backup/db', why: '2026-03-01T02:00:00Z' })
})

test('anything else leads to the overview', () => {
  for (const hash of ['', '#', '#/', '#/nowhere?x=1']) assert.equal(parseRoute(hash).view, 'overview')
})
