import assert from 'node:assert/strict'
import { test } from 'node:test'
import { visible } from '@kron/cli'
import { findZone, UTC } from '@kron/core'
import fc from 'fast-check'
import { bar, columnChart } from './bars.ts'
import { styleOf } from './style.ts'
import { facts, table } from './table.ts'
import { columns, cut, grouped, padEnd, plural } from './text.ts'
import { clockBeside, localText, offsetText, relativeText, spanText } from './time.ts'

test('spans are told in their two largest units', () => {
  const spans = [0, 1, 59, 60, 61, 3_600, 3_660, 11_520, 86_400, 86_401, 90_000, 700_000].map(spanText)
  assert.deepEqual(spans, [
    '0 s',
    '1 s',
    '59 s',
    '1 m',
    '1 m 1 s',
    '1 h',
    '1 h 1 m',
    '3 h 12 m',
    '1 d',
    '1 d',
    '1 d 1 h',
    '8 d 2 h',
  ])
})

test('times are told relative to now', () => {
  assert.deepEqual(
    [relativeText(10, 10), relativeText(11_530, 10), relativeText(5, 10)],
    ['now', 'in 3 h 12 m', '5 s ago'],
  )
})

test('local times carry weekday and offset', () => {
  const paris = findZone('Europe/Paris')!
  assert.equal(localText(1_774_747_800, paris), 'Sun 2026-03-29 03:30:00 +02:00')
  assert.equal(localText(1_774_747_800, UTC), 'Sun 2026-03-29 01:30:00 UTC')
  assert.deepEqual([19_800, -12_600, -2_670, 0].map(offsetText), ['+05:30', '-03:30', '-00:44:30', '+00:00'])
  assert.equal(clockBeside(86_399, 0, UTC), '23:59:59')
  assert.equal(clockBeside(86_400, 0, UTC), '1970-01-02 00:00:00')
})

test('widths count what a terminal shows', () => {
  const { bad } = styleOf({ colour: true })
  assert.deepEqual(['abc', bad('abc'), '日本', 'é', 'e\u0301', '😀'].map(columns), [3, 3, 4, 1, 1, 2])
  assert.equal(padEnd('日本', 6), '日本  ')
  assert.equal(cut('description', 6), 'descr…')
  assert.equal(cut('日本語', 5), '日本…')
  assert.equal(visible('a\u001b[31m\tb\u0085'), 'a\\x1b[31m\\x09b\\x85')
  assert.deepEqual(
    [plural(1, 'job'), plural(1_234_567, 'entry'), grouped(999)],
    ['1 job', '1,234,567 entries', '999'],
  )
})

test('tables align, shrink what may shrink, and leave out what may be left out', () => {
  const heads = [
    { title: 'job' },
    { title: 'n', align: 'right' as const },
    { title: 'note', least: 5, leaveOut: 1 },
  ]
  const rows = [
    ['a', '1', 'a long remark'],
    ['backup', '12', ''],
  ]
  assert.deepEqual(table(heads, rows), ['job      n  note', 'a        1  a long remark', 'backup  12'])
  assert.deepEqual(table(heads, rows, 18), ['job      n  note', 'a        1  a lon…', 'backup  12'])
  assert.deepEqual(table(heads, rows, 12), ['job      n', 'a        1', 'backup  12'])
  const whole = [{ title: 'job' }, { title: 'n', leaveOut: 1 }, { title: 'note', leaveOut: 2 }]
  assert.deepEqual(table(whole, rows, 22), ['job     note', 'a       a long remark', 'backup'])
  assert.deepEqual(
    facts([
      ['a', 'x'],
      ['long', ['y', 'z']],
    ]),
    ['a     x', 'long  y', '      z'],
  )
})

test('bars are as long as their share and never hide what is there', () => {
  assert.deepEqual(
    [bar(1, 4, true), bar(0.5, 4, true), bar(0.53, 4, true), bar(0, 4, true)],
    ['████', '██', '██▏', ''],
  )
  assert.deepEqual([bar(0.0001, 4, true), bar(0.0001, 4, false), bar(0.5, 4, false)], ['▏', '#', '##'])
  fc.assert(
    fc.property(
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.integer({ min: 1, max: 200 }),
      fc.boolean(),
      (share, width, unicode) => {
        assert.ok(columns(bar(share, width, unicode)) <= width)
      },
    ),
  )
})

test('a column chart stacks eighths', () => {
  assert.deepEqual(columnChart([0, 0.25, 0.5, 1], 2, true), ['   █', ' ▄██'])
  assert.deepEqual(columnChart([0, 0.25, 0.5, 1], 2, false), ['   #', ' .##'])
})
