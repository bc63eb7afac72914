import assert from 'node:assert/strict'
import { test } from 'node:test'
import { faulty, parsed } from '../error/fault.ts'
import { Faults, findUnquoted, keyAndValue, splitArguments } from './argument.ts'

test('a quoted part hides what would divide or end it', () => {
  assert.equal(findUnquoted('a")"b)', ')', 0), 5)
  assert.equal(findUnquoted('"\\")"', ')', 0), -1)
  assert.deepEqual(splitArguments({ text: 'a,"b,c\\",d",e', at: 10 }, ','), [
    { text: 'a', at: 10 },
    { text: '"b,c\\",d"', at: 12 },
    { text: 'e', at: 22 },
  ])
  assert.deepEqual(splitArguments({ text: '', at: 3 }, ';'), [{ text: '', at: 3 }])
  assert.deepEqual(splitArguments({ text: 'a,', at: 0 }, ','), [
    { text: 'a', at: 0 },
    { text: '', at: 2 },
  ])
})

test('a key ends at the first equals sign', () => {
  assert.deepEqual(keyAndValue({ text: 'a=b=c', at: 5 }), {
    key: { text: 'a', at: 5 },
    value: { text: 'b=c', at: 7 },
  })
  assert.deepEqual(keyAndValue({ text: 'a', at: 5 }), { key: { text: 'a', at: 5 }, value: undefined })
})

test('faults are collected where they stand, and no more than anyone would mend', () => {
  const faults = new Faults()
  assert.equal(faults.take({ text: 'x', at: 4 }, parsed(1)), 1)
  assert.equal(faults.syntax({ text: 'ab', at: 4 }, 'bad', 'do better'), undefined)
  assert.equal(faults.meaning({ text: '', at: 9 }, 'worse'), undefined)
  faults.take(
    { text: 'x', at: 4 },
    faulty([{ category: 'ValidationError', message: 'inner', at: 1, length: 2 }]),
  )
  assert.deepEqual(faults.list, [
    { category: 'ConfigurationError', message: 'bad', hint: 'do better', at: 4, length: 2 },
    { category: 'ValidationError', message: 'worse', at: 9, length: 0 },
    { category: 'ValidationError', message: 'inner', at: 5, length: 2 },
  ])
  for (let i = 0; i < 1_000; i++) faults.syntax({ text: '', at: i }, 'again')
  assert.equal(faults.list.length, 100)
})
