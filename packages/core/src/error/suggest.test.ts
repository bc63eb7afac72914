import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { didYouMean, editDistance, suggest } from './suggest.ts'

const COMMANDS = ['lint', 'list', 'explain', 'forecast', 'history']

test('a slip of the finger finds the word that was meant', () => {
  for (const [word, meant] of [
    ['lnit', 'lint'],
    ['expain', 'explain'],
    ['forcast', 'forecast'],
    ['HISTORY', 'history'],
  ] as const) {
    assert.equal(suggest(word, COMMANDS), meant)
  }
  assert.equal(didYouMean('expalin', COMMANDS), 'did you mean explain?')
})

test('a word that is like none of them finds nothing', () => {
  assert.equal(suggest('zzz', COMMANDS), undefined)
  assert.equal(didYouMean('', COMMANDS), undefined)
})

test('the distance is symmetric, and zero only between equal words', () => {
  const word = fc.string({ maxLength: 8 })
  fc.assert(
    fc.property(word, word, (a, b) => {
      assert.equal(editDistance(a, b), editDistance(b, a))
      assert.equal(editDistance(a, b) === 0, a === b)
    }),
  )
})
