import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BROKEN_VARIANTS, type BrokenVariant } from '@kron/testkit/krond/simulation/broken-variants'
import { History } from '@kron/testkit/krond/simulation/history'
import { INVARIANTS, type Invariant, type Violation } from '@kron/testkit/krond/simulation/invariant'
import { compareRetention } from '@kron/testkit/krond/simulation/krond-campaign'
import { noTally } from '@kron/testkit/krond/simulation/tally'

const YEAR = 365 * 86_400
const MOST_HISTORIES = 60

/** The broken variant that proves each invariant is checked; docs/reliability/harness.md has a line for each. */
const CAUGHT_BY: Readonly<Record<Exclude<Invariant, 'STATE 7'>, BrokenVariant>> = {
  'SPEC 1': 'chooses outside the window',
  'SPEC 2': 'starts every process twice',
  'SPEC 3': 'chooses anew after every restart',
  'SPEC 4': 'replays what it missed',
  'SPEC 5': 'changes a terminal outcome',
  'SPEC 6': 'ignores suspension',
  'SPEC 7': 'ignores constraints',
  'STATE 1': 'starts every process twice',
  'STATE 2': 'skips the intent write',
  'STATE 3': 'handles again what a backward jump brings back',
  'STATE 4': 'keeps an outcome to itself',
  'STATE 5': 'ignores the boot id',
  'STATE 6': 'begins anew after a corrupt state',
  'ERROR-MODEL 1': 'takes a lost start for a refused one',
  'ERROR-MODEL 2': 'ignores the time zone',
  'ERROR-MODEL 3': 'runs what is right in a wrong file',
  'ERROR-MODEL 4': 'ignores deadlines',
  'ERROR-MODEL 5': 'goes on after a failed write',
  'ERROR-MODEL 6': 'keeps an outcome to itself',
  'ERROR-MODEL 7': 'starts a failed command again',
  'EXECUTION 1': 'starts every process twice',
  'EXECUTION 2': 'replays what it missed',
  'EXECUTION 3': 'skips the fsync of the journal',
  'EXECUTION 4': 'starts a failed command again',
  'EXECUTION 5': 'says that every command succeeded',
  'krond concurrency': 'finds no survivor',
  'krond trigger': 'has a clock that is ahead',
  'krond liveness': 'never wakes',
  'krond durability': 'skips the fsync of the journal',
}

/** Seeds that are known to catch variants which most histories miss. They come first; any other seed is as good. */
const KNOWN_SEEDS: Partial<Record<BrokenVariant, number>> = {
  'handles again what a backward jump brings back': 10,
  'goes on after a failed write': 17,
  'takes an unanswered start for none': 7,
  'ignores suspension': 2,
  'begins anew after a corrupt state': 2,
}

/**
 * Runs histories of a broken daemon until the invariants have been violated, or until there are too many histories. `counts`
 * chooses the violations that count; without it all do.
 */
async function assertCaught(
  variant: BrokenVariant,
  wanted: readonly Invariant[],
  counts: (violation: Violation) => boolean = () => true,
): Promise<void> {
  const missing = new Set<Invariant>(wanted)
  const enough = (violations: readonly Violation[]): boolean => {
    for (const { invariants } of violations.filter(counts))
      for (const each of invariants) missing.delete(each)
    return missing.size === 0
  }
  const known = KNOWN_SEEDS[variant]
  const seeds = [...(known === undefined ? [] : [known]), ...Array(MOST_HISTORIES).keys()]
  for (const seed of seeds) {
    if (missing.size === 0) break
    await new History(seed, noTally(), { sabotage: BROKEN_VARIANTS[variant]() }).live(YEAR, enough)
  }
  assert.deepEqual([...missing], [], `not violated by a daemon that ${variant}`)
}

for (const variant of new Set(Object.values(CAUGHT_BY))) {
  const wanted = (Object.keys(CAUGHT_BY) as (keyof typeof CAUGHT_BY)[]).filter(
    each => CAUGHT_BY[each] === variant,
  )
  test(`${wanted.join(', ')}: a daemon that ${variant} is caught`, async () => {
    await assertCaught(variant, wanted)
  })
}

test('STATE 7: a daemon that believes what is in its history alone is caught', async () => {
  const sabotage = BROKEN_VARIANTS['believes what is in its history alone']()
  const [violation] = await compareRetention(0, YEAR, { sabotage })
  assert.deepEqual(violation?.invariants, ['STATE 7'])
})

test('STATE 2: a daemon that believes a summary that is out of date is caught', async () => {
  await assertCaught('believes a summary that is out of date', ['STATE 2'])
})

test('STATE 4: a daemon that copies the journal without an fsync is caught before it tells another outcome', async () => {
  const isLoss = ({ message }: Violation): boolean => message.endsWith('was told, and is forgotten')
  await assertCaught('copies the journal without an fsync', ['STATE 4'], isLoss)
})

test('SPEC 5: a daemon that forgets at a restart what is handled is caught', async () => {
  await assertCaught('forgets at a restart what is handled', ['SPEC 5'])
})

test('STATE 4: a daemon that builds on names that are not durable is caught', async () => {
  await assertCaught('builds on names that are not durable', ['STATE 4'])
})

/** Mistakes about the messages of the shim that only lost, late or doubled messages and killed shims bring to light. */
const CAUGHT_BY_MESSAGES: readonly (readonly [BrokenVariant, Invariant])[] = [
  ['starts again when an answer is late', 'SPEC 2'],
  ['takes a doubled answer for the end', 'STATE 5'],
  ['takes an end that nobody saw for a success', 'EXECUTION 5'],
  ['takes an unanswered start for none', 'STATE 2'],
]

for (const [variant, invariant] of CAUGHT_BY_MESSAGES)
  test(`${invariant}: a daemon that ${variant} is caught`, async () => {
    await assertCaught(variant, [invariant])
  })

test('every invariant has a broken variant that shows it is watched', () => {
  assert.deepEqual([...Object.keys(CAUGHT_BY), 'STATE 7'].sort(), Object.keys(INVARIANTS).sort())
})
