import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { OutputPart } from '../api/records.ts'
import { appended, MOST_CHARACTERS, withoutSequences } from './run-output.ts'

const all = (...parts: OutputPart[]): readonly OutputPart[] =>
  parts.reduce<readonly OutputPart[]>((sum, part) => appended(sum, part), [])

test('text of the same stream is put together, another stream begins anew', () => {
  assert.deepEqual(
    all({ stream: 'out', text: 'a' }, { stream: 'out', text: 'b\n' }, { stream: 'err', text: 'c' }),
    [
      { stream: 'out', text: 'ab\n' },
      { stream: 'err', text: 'c' },
    ],
  )
})

test('of a run that prints without end the newest text stays, and the page says how much is gone', () => {
  const long = 'x'.repeat(MOST_CHARACTERS - 10)
  const parts = all(
    { stream: 'out', text: 'first\n' },
    { stream: 'err', text: long },
    { stream: 'out', text: '0123456789abcdef' },
  )
  assert.deepEqual(parts[0], { stream: 'gap', bytes: 12 })
  assert.deepEqual(parts.at(-1), { stream: 'out', text: '0123456789abcdef' })
  const shown = parts.reduce((sum, part) => sum + (part.stream === 'gap' ? 0 : part.text.length), 0)
  assert.equal(shown, MOST_CHARACTERS)
  assert.deepEqual(appended(parts, { stream: 'out', text: 'yz' })[0], { stream: 'gap', bytes: 14 })
})

test('a gap that krond left stays where it is', () => {
  const parts = all({ stream: 'out', text: 'a' }, { stream: 'gap', bytes: 5 }, { stream: 'out', text: 'b' })
  assert.deepEqual(
    parts.map(part => part.stream),
    ['out', 'gap', 'out'],
  )
})

test('colours, titles and cursor movements of a terminal are left out', () => {
  assert.equal(
    withoutSequences('\u001b[1;31mred\u001b[0m\u001b]0;title\u0007 \u001b[2Kline\r\n'),
    'red line\n',
  )
})
