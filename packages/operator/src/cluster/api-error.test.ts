import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiError, isLost } from './api-error.ts'

test('a request without an answer, or with an error of the server, may have happened', () => {
  const reset = ApiError.unreachable(Object.assign(new Error('reset'), { code: 'ECONNRESET' }), 'PATCH')
  assert.deepEqual([isLost(reset), isLost(new ApiError(500, {}, 'PATCH'))], [true, true])
  assert.equal(isLost(new ApiError(504, {}, 'PATCH')), true)
})

test('a refusal, a server that accepts no requests and a connection that was refused are certain', () => {
  const refused = ApiError.unreachable(Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }), 'PATCH')
  for (const error of [refused, ...[409, 422, 429, 503].map(status => new ApiError(status, {}, 'PATCH'))])
    assert.equal(isLost(error), false)
  assert.equal(isLost(new Error('something else')), false)
})
