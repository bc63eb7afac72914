import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseOptions } from './options.ts'
import { addTo } from './record.ts'

const parse = (...words: string[]) => {
  const options = parseOptions(words)
  assert.ok(typeof options === 'object', String(options))
  return options
}

test('without options it takes two minutes; with a number of kills it takes as long as it takes', () => {
  assert.equal(parse().span, 120_000)
  assert.equal(parse('--kills', '10000').span, Number.POSITIVE_INFINITY)
  const { span, kills } = parse('--kills', '10', '--for', '10m')
  assert.deepEqual([span, kills], [600_000, 10])
})

test('what cannot be meant is refused', () => {
  for (const words of [['--for', 'long'], ['--kills', '0'], ['--lanes', 'x'], ['--unknown']])
    assert.equal(typeof parseOptions(words), 'string', words.join(' '))
})

test('figures add up by subject and name', () => {
  const first = addTo({}, 'krond', { kills: 2, duplicates: 0 })
  const second = addTo(addTo(first, 'krond', { kills: 3, stops: 1 }), 'schedulerFile', { kills: 1 })
  assert.deepEqual(second, { krond: { kills: 5, duplicates: 0, stops: 1 }, schedulerFile: { kills: 1 } })
})
