import assert from 'node:assert/strict'
import { test } from 'node:test'
import { learnSegments } from './learn.ts'
import { intlReader, offsetReader } from './offset.ts'

const FROM = Date.UTC(1970, 0) / 1000
const UNTIL = Date.UTC(2040, 0) / 1000

test('the reader in use and Intl tell the same offset on both sides of every change', () => {
  const names = Intl.supportedValuesOf('timeZone').filter((_, i) => i % 7 === 0)
  for (const name of [
    ...names,
    'Europe/Dublin',
    'Australia/Lord_Howe',
    'Pacific/Apia',
    'Africa/Monrovia',
    'US/Eastern',
  ]) {
    const [quick, slow] = [offsetReader(name)!, intlReader(name)!]
    for (const { start, end, offset } of learnSegments(quick, FROM, UNTIL)) {
      assert.equal(slow(start), offset, `${name} ${start}`)
      assert.equal(slow(end - 1), offset, `${name} ${end - 1}`)
    }
  }
})

test('a zone that the runtime does not know has no reader', () => {
  for (const reader of [offsetReader, intlReader]) assert.equal(reader('Mars/Olympus'), undefined)
})
