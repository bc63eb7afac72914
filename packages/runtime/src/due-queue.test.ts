import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { DueQueue } from './due-queue.ts'

type Step =
  | { do: 'set'; slot: number; at: number }
  | { do: 'remove'; slot: number }
  | { do: 'pop'; now: number }
  | { do: 'take'; now: number; most: number }
  | { do: 'clear' }

const slot = fc.integer({ min: 0, max: 60 })
const at = fc.oneof(
  fc.integer({ min: -20, max: 20 }),
  fc.constantFrom(Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0.5, 8.64e15),
)
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 120, arbitrary: fc.record({ do: fc.constant('set' as const), slot, at }) },
  { weight: 40, arbitrary: fc.record({ do: fc.constant('remove' as const), slot }) },
  { weight: 60, arbitrary: fc.record({ do: fc.constant('pop' as const), now: at }) },
  {
    weight: 20,
    arbitrary: fc.record({
      do: fc.constant('take' as const),
      now: at,
      most: fc.integer({ min: 0, max: 60 }),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ do: 'clear' as const }) },
)

function firstOf(model: Map<number, number>): number | undefined {
  const order = [...model].sort(([a, atA], [b, atB]) => (atA < atB ? -1 : atA > atB ? 1 : a - b))
  return order[0]?.[0]
}

test('the queue agrees with a sorted list, whatever is done to it', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 300 }), steps => {
      const queue = new DueQueue()
      const model = new Map<number, number>()
      for (const next of steps) {
        if (next.do === 'set') {
          queue.set(next.slot, next.at)
          model.set(next.slot, next.at)
        } else if (next.do === 'remove') {
          assert.equal(queue.remove(next.slot), model.delete(next.slot))
        } else if (next.do === 'take') {
          const due = [...model].filter(([, at]) => at <= next.now)
          const taken = queue.takeDue(next.now, next.most)
          assert.equal(taken.length, Math.min(due.length, next.most))
          for (const slot of taken) {
            const at = queue.lastAt(slot)
            assert.ok(at <= next.now && model.get(slot) === at)
            model.delete(slot)
          }
        } else if (next.do === 'clear') {
          queue.clear()
          model.clear()
        } else {
          const first = firstOf(model)
          const due = first !== undefined && model.get(first)! <= next.now ? first : undefined
          assert.equal(queue.popDue(next.now), due)
          if (due !== undefined) model.delete(due)
        }
        const first = firstOf(model)
        assert.equal(queue.size, model.size)
        assert.equal(queue.peek(), first)
        assert.equal(queue.nextAt(), first === undefined ? undefined : model.get(first))
      }
      for (let slot = 0; slot <= 60; slot++) assert.equal(queue.at(slot), model.get(slot))
    }),
    { numRuns: 300 },
  )
})

test('a million slots come out in order, ties by slot', () => {
  const queue = new DueQueue(1_000_000)
  let seed = 1
  for (let slot = 0; slot < 1_000_000; slot++) {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0
    queue.set(slot, seed % 5_000)
  }
  let last = { at: -1, slot: -1 }
  for (let count = 0; count < 1_000_000; count++) {
    const at = queue.nextAt()!
    const slot = queue.popDue(at)!
    if (at < last.at || (at === last.at && slot <= last.slot)) assert.fail(`${slot} at ${at} came too late`)
    last = { at, slot }
  }
  assert.equal(queue.popDue(Number.POSITIVE_INFINITY), undefined)
})

test('a slot is a natural number and an instant is a number', () => {
  const queue = new DueQueue()
  assert.throws(() => queue.set(-1, 0), /natural number/)
  assert.throws(() => queue.set(1.5, 0), /natural number/)
  assert.throws(() => queue.set(1, Number.NaN), /NaN/)
  assert.equal(queue.remove(7), false)
})
