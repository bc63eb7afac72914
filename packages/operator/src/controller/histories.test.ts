import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Faults, live } from '@kron/testkit/operator/simulation/history'

/** Few, because each lives through eighteen minutes. Every defect that they found was in one of the first seeds. */
const SEEDS = 2

const HISTORIES: Readonly<Record<string, Faults>> = {
  'nothing fails': {},
  'Jobs are refused': { refusals: 0.3 },
  'answers are lost': { losses: 0.1 },
  'leaders are killed': { kills: 0.5 },
  'Jobs are refused and leaders are killed': { refusals: 0.3, kills: 0.5 },
  'leases lapse while Jobs are refused': { refusals: 0.3, lapses: 0.5 },
  'the API server goes away': { outages: 0.4, lapses: 0.2, losses: 0.05 },
  'somebody deletes Jobs': { deletions: 0.4, refusals: 0.1 },
  'many KronJobs fall due before their first status is written': { crowd: 16, slowFirsts: 0.9 },
  'leaders are killed between the first timer and the first status': {
    crowd: 16,
    slowFirsts: 0.9,
    kills: 0.8,
    refusals: 0.1,
  },
  'leaders die after a write, and other statuses are slow then': {
    crowd: 36,
    lastWrites: 0.03,
    edits: 0.9,
    slowFirsts: 1,
  },
  'everything fails': { refusals: 0.2, losses: 0.05, kills: 0.3, lapses: 0.3, outages: 0.2 },
}

for (const [name, faults] of Object.entries(HISTORIES)) {
  test(`${name}: every period has one Job or a reason, and none is executed without a Job or doubt`, async () => {
    let jobs = 0
    for (let seed = 0; seed < SEEDS; seed++) {
      const verdict = await live(seed, faults)
      assert.deepEqual(verdict.wrong, [], `seed ${seed}`)
      jobs += verdict.jobs
    }
    assert.ok(jobs > 0)
  })
}

test('the check can fail: a server that lies about its refusals makes periods run twice or against their outcome', async () => {
  const verdicts = await Promise.all([0, 1, 2].map(seed => live(seed, { lies: 0.5 })))
  assert.ok(verdicts.every(each => each.wrong.some(what => /ran twice|yet it ran|was executed/.test(what))))
})
