/**
 * Flips every single bit of a state file, the journal and the summary, for a job in each phase of its life: with the
 * real store and the real driver on a virtual machine. Every bit of a claim and of an end record: with the real
 * kron-shim. A sample of all of them: with the real daemon, whose children count the executions.
 */
import { fileURLToPath } from 'node:url'
import { commandLine } from '../command-line.ts'
import { addToFile } from '../torture/record.ts'
import { damageClaims } from './claims.ts'
import { damageInProcess, type Tally } from './in-process.ts'
import { damageRealDaemon } from './real-daemon.ts'
import { SCENARIOS } from './scenarios.ts'

const RECORD = fileURLToPath(new URL('../reliability/damage.json', import.meta.url))

const USAGE = `usage: npm run verify -- damage [options]
  --sample N   flip one bit of N in process (default 1: every bit)
  --offset N   the first bit that is flipped: with --sample 10, the offsets 0 to 9 are ten slices of the whole
  --real N     how many bits to flip under the real daemon (default 60)
  --only PART  files, claims, real, or a part of the name of a phase
  --record     add the flips in process to verify/reliability/damage.json

  npm run verify -- damage --sample 397 --real 0
  npm run verify -- damage --only files --sample 10 --offset 3 --record
`

const { values } = commandLine(USAGE, {
  sample: { type: 'string', default: '1' },
  offset: { type: 'string', default: '0' },
  real: { type: 'string', default: '60' },
  only: { type: 'string', default: '' },
  record: { type: 'boolean', default: false },
})
const stride = Number(values.sample)
let failures = 0
const row = (...cells: readonly (string | number)[]): void =>
  console.log(cells.map((each, n) => String(each).padEnd([36, 9, 8, 9, 9, 9, 8][n] ?? 6)).join(' '))

row('phase', 'file', 'flips', 'refused', 'reported', 'silent', 'twice')
const all: Tally[] = []
const phase = values.only === 'files' ? '' : values.only
for (const scenario of SCENARIOS.filter(each => each.name.includes(phase))) {
  for (const tally of await damageInProcess(scenario, stride, Number(values.offset))) {
    const { file, flipped, refused, reported, silent, twice } = tally
    row(scenario.name, file, flipped, refused, reported, silent.length, twice.length)
    if (twice.length > 0) console.log(`  ${twice.slice(0, 3).join('; ')}`)
    if (silent.length > 0) console.log(`  silent: bits ${silent.slice(0, 12).join(', ')}`)
    failures += twice.length + silent.length
    all.push(tally)
    if (values.record)
      addToFile(RECORD, file, {
        flips: flipped,
        refused,
        reported,
        silent: silent.length,
        twice: twice.length,
      })
  }
}
console.log(`in process: ${all.reduce((sum, each) => sum + each.flipped, 0)} flips`)
if (values.only === '' || values.only === 'claims') failures += await damageClaims(stride)
if (values.only === '' || values.only === 'real') {
  failures += await damageRealDaemon(Number(values.real))
}
console.log(failures === 0 ? 'ok: nothing ran twice, and every flip was noticed' : `${failures} failures`)
process.exitCode = failures === 0 ? 0 : 1
