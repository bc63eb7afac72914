import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { NameIndex } from './name-index.ts'

const name = fc.oneof(
  fc.string(),
  fc.nat({ max: 40 }).map(number => `task-${number}`),
)
const step = fc.record({ do: fc.constantFrom('add', 'add', 'add', 'remove', 'find'), name })

test('the index agrees with a map, whatever is done to it', () => {
  const property = fc.property(fc.array(step, { maxLength: 300 }), fc.nat({ max: 50 }), (steps, capacity) => {
    const names: string[] = []
    const index = new NameIndex(row => names[row]!, capacity)
    const model = new Map<string, number>()
    for (const { do: act, name } of steps) {
      if (act === 'add') {
        assert.equal(index.findOrAdd(name, names.length), model.get(name) ?? names.length)
        if (!model.has(name)) model.set(name, names.push(name) - 1)
      } else if (act === 'remove') {
        index.remove(name)
        model.delete(name)
      }
      assert.equal(index.find(name), model.get(name))
      assert.equal(index.size, model.size)
    }
    for (const [name, row] of model) assert.equal(index.find(name), row)
  })
  fc.assert(property)
})

test('adding and removing for ever needs no more room', () => {
  const index = new NameIndex(row => `name-${row}`)
  for (let row = 0; row < 100_000; row++) {
    assert.equal(index.findOrAdd(`name-${row}`, row), row)
    index.remove(`name-${row}`)
  }
  assert.equal(index.size, 0)
  assert.equal(index.find('name-99999'), undefined)
})
