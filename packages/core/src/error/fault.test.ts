import assert from 'node:assert/strict'
import { test } from 'node:test'
import { quote, shifted } from './fault.ts'

test('a quoted text is escaped, cut, and safe to print', () => {
  assert.equal(quote('a "b"'), '"a \\"b\\""')
  assert.equal(quote('\u001b[31m\n'), '"\\u001b[31m\\n"')
  assert.equal(quote('x'.repeat(41)), `"${'x'.repeat(40)}…"`)
  assert.equal(quote(`${'x'.repeat(39)}😀`), `"${'x'.repeat(39)}\\ud83d…"`)
})

test('faults move with the text that holds theirs', () => {
  const fault = { category: 'ConfigurationError', message: 'm', at: 2, length: 1 } as const
  assert.deepEqual(shifted([fault], 5), [{ ...fault, at: 7 }])
})
