/**
 * Flips every single bit of a state file, the journal and the summary, for a job in each phase of its life: with the
 * real store and the real driver on a virtual machine. Every bit of a claim and of an end record: with the real
 * kron-shim. A sample of all of them: with the real daemon, whose children count the executions.
 */
import { parseArgs } from 'node:util'
import { damageClaims } from './claims.ts'
import { damageInProcess, type Tally } from './in-process.ts'
import { damageRealDaemon } from './real-daemon.ts'
import { SCENARIOS } from './scenarios.ts'

const { values } = parseArgs({
  options: {
    /** Flip one bit of so many in process; 1: every bit. */
    sample: { type: 'string', default: '1' },
    /** How many bits to flip under the real daemon. */
    real: { type: 'string', default: '60' },
    only: { type: 'string', default: '' },
    offset: { type: 'string', default: '0' },
  },
})
const stride = Number(values.sample)
let failures = 0
const row = (...cells: readonly (string | number)[]): void =>
  console.log(cells.map((each, n) => String(each).padEnd([36, 9, 8, 9, 9, 9, 8][n] ?? 6)).join(' '))

row('phase', 'file', 'flips', 'refused', 'reported', 'silent', 'twice')
const all: Tally[] = []
for (const scenario of SCENARIOS.filter(each => each.name.includes(values.only))) {
  for (const tally of await damageInProcess(scenario, stride, Number(values.offset))) {
    const { file, flipped, refused, reported, silent, twice } = tally
    row(scenario.name, file, flipped, refused, reported, silent.length, twice.length)
    if (twice.length > 0) console.log(`  ran twice: ${twice.slice(0, 3).join('; ')}`)
    if (silent.length > 0) console.log(`  silent: bits ${silent.slice(0, 12).join(', ')}`)
    failures += twice.length + silent.length
    all.push(tally)
  }
}
console.log(`in process: ${all.reduce((sum, each) => sum + each.flipped, 0)} flips`)
if (values.only === '' || values.only === 'claims') failures += await damageClaims(stride)
if (values.only === '' || values.only === 'real') {
  failures += await damageRealDaemon(Number(values.real))
}
console.log(failures === 0 ? 'ok: nothing ran twice, and every flip was noticed' : `${failures} failures`)
process.exitCode = failures === 0 ? 0 : 1
