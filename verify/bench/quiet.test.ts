import assert from 'node:assert/strict'
import { test } from 'node:test'
import { disturbancesOf, untilQuiet } from './quiet.ts'

test('a machine with other work or a greedy hypervisor is disturbed, and the reason is named', () => {
  assert.deepEqual(disturbancesOf(0.9, 2, 0.01), [])
  assert.deepEqual(disturbancesOf(5.2, 2, 0), ['load 5.2 at the beginning, at most 1.0 is quiet'])
  assert.deepEqual(disturbancesOf(0, 2, 0.12), ['12 % of the processors stolen, at most 5 % is quiet'])
})

test('a benchmark waits for the load of the one before it, and not for ever for other work', async () => {
  const waitedFor = async (load: (waits: number) => number): Promise<number> => {
    let waits = 0
    await untilQuiet(
      () => load(waits),
      async () => waits++,
    )
    return waits
  }
  assert.equal(await waitedFor(() => 0), 0)
  assert.equal(await waitedFor(waits => (waits < 7 ? 1_000 : 0)), 7)
  assert.equal(await waitedFor(() => 1_000), 36)
})
