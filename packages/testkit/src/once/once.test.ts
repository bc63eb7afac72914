import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { inWords, Once, ranTwice } from './once.ts'

const OUTCOMES = ['executed', 'skipped', 'missed', 'unschedulable']

test('one run and its outcome, reported often and in any order, contradict nothing', () => {
  const once = new Once()
  once.outcome('a 1', 'executed', 'the log')
  once.ran('a 1', 'process 7')
  once.outcome('a 1', 'executed', 'the state')
  once.outcome('a 2', 'missed', 'the log')
  once.outcome('a 2', 'missed', 'the state')
  assert.deepEqual(once.contradictions, [])
})

test('a second run is named with both processes, also if they carry the same name', () => {
  const once = new Once()
  once.ran('a 1', 'process 7')
  assert.equal(inWords(once.ran('a 1', 'process 8')!), 'a 1 ran twice: process 7, then process 8')
  assert.equal(once.ran('a 1', 'process 7')?.kind, 'ran twice')
})

test('every repetition in a list of runs is named', () => {
  assert.deepEqual(ranTwice(['a 1', 'a 2', 'b 1']), [])
  assert.deepEqual(ranTwice(['a 1', 'a 2', 'a 1', 'a 1']), [
    'a 1 ran twice: run 1, then run 3',
    'a 1 ran twice: run 1, then run 4',
  ])
})

test('a run after another outcome, and another outcome after a run, are contradictions', () => {
  const once = new Once()
  once.outcome('a 1', 'missed', 'the log')
  assert.equal(inWords(once.ran('a 1', 'process 7')!), 'a 1 was missed, yet it ran: process 7')
  once.ran('a 2', 'process 8')
  assert.equal(
    inWords(once.outcome('a 2', 'skipped', 'the state')!),
    'a 2 was executed, is skipped by the state',
  )
})

/** The definition, by brute force: some order of the operations is accepted by the sequential object. */
function isLinearizable(operations: readonly string[]): boolean {
  const accepts = (state: string, left: readonly string[]): boolean =>
    left.length === 0 ||
    left.some((operation, i) => {
      const rest = left.filter((_, j) => j !== i)
      if (operation === 'run') return (state === 'open' || state === 'executed') && accepts('ran', rest)
      const told = operation === 'executed' && state === 'ran' ? 'ran' : operation
      return (state === 'open' || state === told) && accepts(told, rest)
    })
  return accepts('open', operations)
}

test('the checker agrees with the definition of linearizability on every short history', () => {
  const operation = fc.constantFrom('run', ...OUTCOMES)
  fc.assert(
    fc.property(fc.array(operation, { maxLength: 6 }), operations => {
      const once = new Once()
      for (const each of operations)
        if (each === 'run') once.ran('k', 'someone')
        else once.outcome('k', each, 'someone')
      assert.equal(once.contradictions.length === 0, isLinearizable(operations), operations.join(' '))
    }),
  )
})
