import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { ChangeReader, changeTexts } from './change-text.ts'

const record = (name: string) => ({ name, cronExpression: '* * * * *', retryDelayMs: 0, firstSeenAt: 1 })
const change = fc
  .tuple(fc.array(fc.string().map(record), { maxLength: 12 }), fc.array(fc.string(), { maxLength: 12 }))
  .map(([put, remove]) => ({ put, remove }))

/** The changes that the parts make together. */
function readAll(texts: Iterable<string>) {
  const reader = new ChangeReader()
  const changes = [...texts].flatMap(text => reader.read(text))
  return { put: changes.flatMap(each => each.put), remove: changes.flatMap(each => each.remove) }
}

test('a change comes back as it was, in however many parts', () => {
  fc.assert(
    fc.property(change, fc.integer({ min: 1, max: 30 }), (given, largest) => {
      assert.deepEqual(readAll(changeTexts(given, largest)), given)
    }),
  )
})

test('a change that lacks its last parts never happened, and does not disturb the next', () => {
  const whole = { put: ['a', 'b', 'c', 'd'].map(record), remove: ['e'] }
  const texts = [...changeTexts(whole, 1)]
  const next = { put: [record('x')], remove: [] }
  for (let cut = 1; cut < texts.length; cut++) {
    assert.deepEqual(readAll([...texts.slice(0, cut), ...changeTexts(next)]), next)
    assert.deepEqual(readAll([...texts.slice(0, cut), ...changeTexts(whole, 2)]), whole)
  }
})

test('what is not a change is refused', () => {
  for (const text of ['', 'C', 'C{}', 'X{"put":[],"remove":[]}', 'Cnull', 'C{"put":1,"remove":[]}']) {
    assert.throws(() => new ChangeReader().read(text), SyntaxError, text)
  }
})
