import assert from 'node:assert/strict'
import { test } from 'node:test'
import { History } from '@kron/testkit/krond/simulation/history'
import { simulateKrond } from '@kron/testkit/krond/simulation/krond-campaign'
import { PERMANENT_SEEDS } from '@kron/testkit/krond/simulation/permanent-seeds'
import { FAULTS, noTally } from '@kron/testkit/krond/simulation/tally'

const DAY = 86_400
const YEAR = 365 * DAY
/** Faults so rare that a few years may pass without them. */
const RARE = new Set(['reorderedWrite', 'dstNearby', 'hang', 'pidReused', 'survivesKill'])

test('simulation: random histories with crashes, power cuts, full disks, jumps and edits keep every invariant', async () => {
  const tally = noTally()
  for (let seed = 0; seed < 6; seed++) {
    const violations = await simulateKrond(seed, YEAR, tally)
    assert.deepEqual(violations, [], `seed ${seed}`)
  }
  const missing = FAULTS.filter(kind => tally.faults[kind] === 0 && !RARE.has(kind))
  assert.deepEqual(missing, [], 'kinds of fault that did not occur')
  assert.ok(tally.crashes > 300, `${tally.crashes} crashes`)
})

test('simulation: what was once found stays found', async () => {
  for (const { seed, found } of PERMANENT_SEEDS) {
    assert.deepEqual(await simulateKrond(seed, YEAR), [], `seed ${seed}: ${found}`)
  }
})

test('simulation: the same seed gives the same history', async () => {
  let starts = 0
  for (const seed of [1, 2, 3]) {
    const [first, second] = [new History(seed, noTally()), new History(seed, noTally())]
    await first!.live(60 * DAY)
    await second!.live(60 * DAY)
    assert.deepEqual(first!.started, second!.started)
    starts += first!.started.length
  }
  assert.ok(starts > 5, `${starts} starts`)
})

test('simulation: passing over idle wake-ups changes nothing', async () => {
  let starts = 0
  for (const seed of [1, 2, 3]) {
    const quick = new History(seed, noTally())
    const slow = new History(seed, noTally(), { everyWakeUp: true })
    await quick.live(30 * DAY)
    await slow.live(30 * DAY)
    assert.deepEqual(quick.started, slow.started)
    starts += quick.started.length
  }
  assert.ok(starts > 5, `${starts} starts`)
})
