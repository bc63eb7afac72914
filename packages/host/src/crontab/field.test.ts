import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readField } from './field.ts'

test('a star within a list means every value, if everything else in the list is valid', () => {
  const every = Array.from({ length: 60 }, (_, minute) => minute)
  assert.deepEqual(readField('*,5', 'minute'), { text: '*', values: every, star: true, spread: 0 })
  assert.deepEqual(readField('5,*', 'minute'), { text: '0-59', values: every, star: false, spread: 0 })
  assert.deepEqual(readField('*,*', 'minute'), { text: '*', values: every, star: true, spread: 0 })
})

test('a step of 0 is refused wherever it stands, and nothing hangs', () => {
  for (const text of ['*/0', '*,*/0', '*/0,*', '1-5/0', '*,1-5/0', '*/00,*'])
    assert.equal(typeof readField(text, 'minute'), 'string', text)
})
