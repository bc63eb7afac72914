import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compare, readCosts } from './weights.ts'

for (const name of ['tariff', 'carbon'] as const) {
  test(`by weights, a day of ${name} costs less than spread evenly and peaks far below all at the minimum`, () => {
    const { uniform, weights, minimum } = compare(readCosts(name))
    assert.ok(weights.cost < 0.75 * uniform.cost, `${weights.cost} and ${uniform.cost}`)
    assert.ok(weights.cost > minimum.cost)
    assert.ok(weights.peak < 0.02 * minimum.peak, `${weights.peak} and ${minimum.peak}`)
    assert.equal(minimum.peak, 1_000)
  })
}
