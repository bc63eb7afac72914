import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compileText } from './text.ts'

test("a text finds Node's modules, and an optional one that is missing as in any installation", () => {
  const text = `
    exports.join = require('node:path').join('a', 'b')
    try { require('bufferutil') } catch (error) { exports.code = error.code }
  `
  assert.deepEqual(compileText('a', text).load(), { join: 'a/b', code: 'MODULE_NOT_FOUND' })
})

test("V8's code of a text gives the same exports, and that of another text is not taken", () => {
  const { script, load } = compileText('a', 'exports.sum = 1 + 1')
  load()
  const again = compileText('a', 'exports.sum = 1 + 1', script.createCachedData())
  assert.equal(again.script.cachedDataRejected, false)
  assert.deepEqual(again.load(), { sum: 2 })
  const other = compileText('a', 'exports.sum = 1 + 1 + 1', script.createCachedData())
  assert.equal(other.script.cachedDataRejected, true)
  assert.deepEqual(other.load(), { sum: 3 })
})
