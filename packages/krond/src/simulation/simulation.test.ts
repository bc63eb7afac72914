import { test } from 'node:test'
import { noTally, simulate } from './history.test-support.ts'

const DAY = 86_400

test('simulation: random histories with crashes, power cuts, full disks, jumps and edits keep every invariant', async () => {
  for (let seed = 0; seed < 8; seed++) await simulate(seed, 5 * DAY, noTally())
})
