/** `npm run simulate -- --seeds 100 --for 1y [--from 0]`: random histories of a host, with faults, checked at every step. */
import { parseArgs } from 'node:util'
import { noTally, simulate } from './history.test-support.ts'

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '20' },
    from: { type: 'string', default: '0' },
    for: { type: 'string', default: '30d' },
  },
})
const DAYS: Readonly<Record<string, number>> = { d: 1, y: 365 }
const span = Number.parseInt(values.for, 10) * (DAYS[values.for.slice(-1)] ?? 1) * 86_400
const from = Number(values.from)
const tally = noTally()
const began = performance.now()
for (let seed = from; seed < from + Number(values.seeds); seed++) {
  try {
    await simulate(seed, span, tally)
  } catch (error) {
    console.error(
      `seed ${seed} failed; run it again with: npm run simulate -- --from ${seed} --seeds 1 --for ${values.for}`,
    )
    throw error
  }
}
const minutes = (performance.now() - began) / 60_000
const years = tally.seconds / (365 * 86_400)
console.log(
  `${years.toFixed(1)} simulated years in ${minutes.toFixed(1)} min (${(years / minutes).toFixed(1)} a minute): ` +
    `${tally.starts} executions, ${tally.crashes} crashes (${tally.powerCuts} power cuts), ${tally.jumps} clock jumps, ` +
    `${tally.reloads} reloads, ${tally.writeFailures} failed writes; no invariant violated`,
)
