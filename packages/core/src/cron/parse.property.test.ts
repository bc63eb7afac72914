import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { quote } from '../error/fault.ts'
import type { Dialect } from './cron.ts'
import { type CronField, FIELDS } from './field.ts'
import { parseCron, parseCronField } from './parse.ts'
import { printCron } from './print.ts'

const DIALECTS: readonly Dialect[] = ['kron', 'posix']

/** Texts that look like cron, are nearly cron, or are not. */
const piece = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: 0, max: 70 }).map(String) },
  { weight: 6, arbitrary: fc.constantFrom('*', ',', '-', '/', '/', ' ', ' ', ' ', '\t') },
  {
    weight: 2,
    arbitrary: fc.constantFrom('MON', 'jan', 'Sunday', 'L', 'W', '#', '?', 'H', '~', '@daily', '@', '+'),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom('0x1f', '1e2', '1.5', '５', '\u00a0', '\n', '\0', '😀', '__proto__', '07'),
  },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 3 }) },
)
const soup = fc.array(piece, { maxLength: 14 }).map(pieces => pieces.join(''))
const fiveSoups = fc.tuple(soup, soup, soup, soup, soup).map(soups => soups.join(' '))

test('no text makes the parser throw, and every fault shows the text it talks about', () => {
  fc.assert(
    fc.property(fc.oneof(soup, fiveSoups, fc.string()), fc.constantFrom(...DIALECTS), (text, dialect) => {
      const result = parseCron(text, dialect)
      if (result.ok) return
      assert.ok(result.faults.length > 0)
      for (const { at, length, message, reason, hint, field } of result.faults) {
        assert.ok(at >= 0 && length >= 0 && at + length <= text.length)
        assert.ok(hint && reason && message.endsWith(reason) && field)
        if (/^has \d+ fields? instead/.test(reason)) assert.equal(field, 'expression')
        else if (length > 0) assert.ok(message.includes(quote(text.slice(at, at + length))), message)
        else assert.match(reason, /^is empty$|^has (an empty list element|no number after|no value before)/)
      }
      const places = result.faults.map(fault => fault.at)
      assert.deepEqual(
        places,
        places.toSorted((a, b) => a - b),
      )
    }),
    { numRuns: 20_000, seed: 3 },
  )
})

test('what the posix dialect accepts, the kron dialect accepts with the same meaning', () => {
  let accepted = 0
  fc.assert(
    fc.property(expression(false), text => {
      const posix = parseCron(text, 'posix')
      assert.deepEqual(posix, parseCron(text, 'kron'))
      if (posix.ok) accepted++
    }),
    { numRuns: 2000, seed: 4 },
  )
  assert.ok(accepted > 1000)
})

test('printing and parsing again gives the same expression', () => {
  for (const dialect of DIALECTS) {
    fc.assert(
      fc.property(expression(dialect === 'kron'), text => {
        const result = parseCron(text, dialect)
        fc.pre(result.ok)
        const printed = printCron(result.value, dialect)
        assert.deepEqual(parseCron(printed, dialect), result)
      }),
      { numRuns: 5000, seed: 6 },
    )
  }
})

test('a field holds the values its elements name', () => {
  fc.assert(
    fc.property(fc.constantFrom(...FIELDS), fc.infiniteStream(fc.nat()), (rule, numbers) => {
      const expected = new Set<number>()
      const pick = (count: number): number => numbers.next().value % count
      const elements = Array.from({ length: 1 + pick(4) }, () => {
        const from = rule.min + pick(rule.max - rule.min + 1)
        const to = from + pick(rule.max - from + 1)
        const step = 1 + pick(7)
        for (let value = from; value <= to; value += step) expected.add(value)
        return `${from}-${to}/${step}`
      })
      const result = parseCronField(elements.join(','), rule.name as CronField, 'kron')
      assert.deepEqual(result, { ok: true, value: [...expected].sort((a, b) => a - b) })
    }),
    { numRuns: 2000, seed: 9 },
  )
})

/** Well-formed expressions, though perhaps of a day that no month has. */
function expression(steps: boolean): fc.Arbitrary<string> {
  const fields = FIELDS.map(({ min, max, names }) => {
    const range = fc
      .tuple(fc.integer({ min, max }), fc.integer({ min, max }))
      .map(([a, b]) => (a === b ? `${a}` : `${Math.min(a, b)}-${Math.max(a, b)}`))
    const stepped = fc
      .tuple(fc.oneof(fc.constant('*'), fc.constant(`${min}-${max}`)), fc.integer({ min: 1, max: 40 }))
      .map(([of, step]) => `${of}/${step}`)
    const name = names.length > 0 ? fc.constantFrom(...names) : range
    const element = steps ? fc.oneof(range, stepped, name) : range
    const list = fc.array(element, { minLength: 1, maxLength: 4 }).map(elements => elements.join(','))
    return fc.oneof(fc.constant('*'), list)
  })
  return fc.tuple(...fields).map(texts => texts.join(' '))
}
