import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { MINUTE, SECOND } from '../time/duration.ts'
import { DEFAULT_POLICY, judge, lastStart, type Policy, type Situation, type Verdict } from './policy.ts'

const CHOSEN = 1_000

const ready: Situation = {
  decision: { chosen: CHOSEN, windowStart: 900 },
  policy: DEFAULT_POLICY,
  handled: false,
  active: false,
  now: CHOSEN,
}
const policy = (given: Partial<Policy>): Policy => ({ ...DEFAULT_POLICY, ...given })
const unschedulable = { chosen: null, windowStart: 900 }

const TABLE: readonly [what: string, given: Partial<Situation>, verdict: Verdict][] = [
  ['at its chosen second a period executes', {}, { kind: 'execute' }],
  ['a second before it waits', { now: 999 }, { kind: 'wait', until: 1_000 }],
  ['a second after, without a deadline, it is missed', { now: 1_001 }, { kind: 'miss' }],
  [
    'within the deadline it executes',
    { now: 1_060, policy: policy({ deadline: MINUTE }) },
    { kind: 'execute' },
  ],
  ['past the deadline it is missed', { now: 1_061, policy: policy({ deadline: MINUTE }) }, { kind: 'miss' }],
  [
    'a deadline below a second gives no other second',
    { now: 1_001, policy: policy({ deadline: SECOND - 1 }) },
    { kind: 'miss' },
  ],
  ['while another runs, forbid skips', { active: true }, { kind: 'skip', reason: 'concurrency' }],
  [
    'while another runs, allow executes',
    { active: true, policy: policy({ concurrency: 'allow' }) },
    { kind: 'execute' },
  ],
  [
    'while another runs, replace replaces',
    { active: true, policy: policy({ concurrency: 'replace' }) },
    { kind: 'replace' },
  ],
  [
    'with nothing running, replace executes',
    { policy: policy({ concurrency: 'replace' }) },
    { kind: 'execute' },
  ],
  ['while another runs, a future period waits', { active: true, now: 1 }, { kind: 'wait', until: 1_000 }],
  [
    'while another runs, a late period is missed, not skipped',
    { active: true, now: 1_001 },
    { kind: 'miss' },
  ],
  ['a handled period is left alone', { handled: true }, { kind: 'alreadyHandled' }],
  ['even a future one', { handled: true, now: 1 }, { kind: 'alreadyHandled' }],
  ['even while suspended', { handled: true, policy: policy({ suspend: true }) }, { kind: 'alreadyHandled' }],
  ['while suspended nothing happens', { policy: policy({ suspend: true }) }, { kind: 'suspended' }],
  ['not even a miss', { now: 9_999, policy: policy({ suspend: true }) }, { kind: 'suspended' }],
  [
    'nor an unschedulable outcome',
    { decision: unschedulable, policy: policy({ suspend: true }) },
    { kind: 'suspended' },
  ],
  [
    'an unschedulable period waits for its window',
    { decision: unschedulable, now: 899 },
    { kind: 'wait', until: 900 },
  ],
  ['and is recorded when it opens', { decision: unschedulable, now: 900 }, { kind: 'unschedulable' }],
  ['or long after', { decision: unschedulable, now: 99_999 }, { kind: 'unschedulable' }],
  ['even while another runs', { decision: unschedulable, active: true }, { kind: 'unschedulable' }],
]

for (const [what, given, verdict] of TABLE) {
  test(what, () => assert.deepEqual(judge({ ...ready, ...given }), verdict))
}

test('as time passes a verdict only moves from waiting to acting to missing', () => {
  const order = ['wait', 'execute', 'miss']
  fc.assert(
    fc.property(
      fc.nat(10_000),
      fc.nat(100_000_000_000_000),
      fc.array(fc.nat(200_000)),
      (chosen, deadline, times) => {
        const kinds = times
          .toSorted((a, b) => a - b)
          .map(
            now =>
              judge({ ...ready, decision: { chosen, windowStart: 0 }, policy: policy({ deadline }), now })
                .kind,
          )
        assert.deepEqual(
          kinds,
          kinds.toSorted((a, b) => order.indexOf(a) - order.indexOf(b)),
        )
      },
    ),
    { numRuns: 500, seed: 1 },
  )
})

test('the last start is chosen plus the whole seconds of the deadline', () => {
  assert.equal(lastStart(policy({ deadline: 0 }), 5), 5)
  assert.equal(lastStart(policy({ deadline: 1_999_999_999 }), 5), 6)
})
