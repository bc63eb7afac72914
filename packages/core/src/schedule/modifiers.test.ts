import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Argument, Faults } from './argument.ts'
import { readPolicy, readSeed, readWindow } from './modifiers.ts'

const argument = (text: string): Argument => ({ text, at: 0 })

test('a modifier with a fault in any part of it has no value at all', () => {
  const faults = new Faults()
  assert.equal(readWindow(argument('beside'), argument('2h'), faults), undefined)
  assert.equal(readWindow(argument('after'), argument('long'), faults), undefined)
  assert.equal(readSeed([argument('hourly')], faults), undefined)
  assert.equal(readSeed([argument('daily'), argument('pepper=x')], faults), undefined)
  assert.equal(readPolicy([argument('deadline=1h'), argument('suspend=maybe')], faults), undefined)
  assert.equal(faults.list.length, 5)
})
