/**
 * Lives through the same histories with the krond of two source trees and compares them: every event, and every record
 * that became durable, job by job. Faults come between the daemon's steps, not within one: two daemons that do the same
 * things in another order inside one millisecond must not differ by that.
 */
import { commandLine } from '../command-line.ts'
import { type Difference, firstDifference } from './compare-lives.ts'
import { liveIn } from './life.ts'

const USAGE = `usage: node --conditions=kron-source verify/simulate/compare.ts --before DIR [options]
  --before DIR   another source tree of Kron, such as a git worktree of an earlier commit
  --from N       the first seed (default 0)
  --seeds N      histories (default 100)
  --days N       how long each history is (default 60)
  --show         print the first difference of each seed

  git worktree add ../before 19a03a0 && (cd ../before && npm ci)
  node --conditions=kron-source verify/simulate/compare.ts --before ../before --seeds 2000
`

const { values } = commandLine(USAGE, {
  before: { type: 'string' },
  from: { type: 'string', default: '0' },
  seeds: { type: 'string', default: '100' },
  days: { type: 'string', default: '60' },
  show: { type: 'boolean', default: false },
})
if (values.before === undefined) throw new RangeError('--before names the source tree to compare with')

const here = new URL('../..', import.meta.url).pathname
const before = `${values.before.startsWith('/') ? '' : `${process.cwd()}/`}${values.before}`
const first = Number(values.from)
let events = 0
let records = 0
const counts = { equal: 0, queue: 0, survivor: 0, replace: 0, different: 0 }
const DAY = 86_400

for (let seed = first; seed < first + Number(values.seeds); seed++) {
  const [old, now] = [
    await liveIn(before, seed, Number(values.days) * DAY),
    await liveIn(here, seed, Number(values.days) * DAY),
  ]
  events += now.events
  records += now.records
  const difference = firstDifference(old, now)
  if (difference === undefined) counts.equal++
  else tell(seed, difference)
}

function tell(seed: number, difference: Difference): void {
  const kind = difference.reason ?? 'different'
  counts[kind]++
  if (kind === 'different' || values.show) {
    console.log(`seed ${seed} (${kind}): ${difference.identity}`)
    console.log(`  before: ${difference.old ?? '(nothing)'}`)
    console.log(`  now:    ${difference.now ?? '(nothing)'}`)
  }
}

console.log(
  `${values.seeds} histories of ${values.days} days, ${events} events, ${records} records: ` +
    `${counts.equal} equal, ${counts.queue} differ when a period waits for a place in vain, ` +
    `${counts.survivor} when a run cannot be killed, ${counts.replace} when a jump makes a replacement too late, ` +
    `${counts.different} otherwise`,
)
process.exit(counts.different === 0 ? 0 : 1)
