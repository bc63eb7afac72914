/** Real processes, real files, real trouble: `npm run verify -- torture --for 10m`. */
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { krond } from './krond/campaign.ts'
import { operator } from './operator.ts'
import { parseOptions, USAGE } from './options.ts'
import { addToFile, sum } from './record.ts'
import { printProgress, printTable } from './report.ts'
import { schedulerFile, schedulerSqlite } from './scheduler-one-machine.ts'
import { schedulerPostgres } from './scheduler-postgres.ts'
import type { Figures, Setting, Subject } from './subject.ts'

const SUBJECTS: readonly Subject[] = [krond, schedulerFile, schedulerSqlite, schedulerPostgres, operator]
const PROGRESS_EVERY = 5_000

if (['--help', '-h'].includes(process.argv[2] ?? '')) {
  console.log(USAGE)
  process.exit(0)
}
const options = parseOptions(process.argv.slice(2))
if (typeof options === 'string') {
  console.error(`error: ${options}\n${USAGE}`)
  process.exit(1)
}
const { only, span, recordTo } = options
const names = SUBJECTS.flatMap(({ name, parts }) => [name, ...parts])
const stranger = only.find(name => !names.includes(name))
if (stranger !== undefined) {
  console.error(`error: --only: nothing is called ${stranger}\n  hint: ${names.join(', ')}`)
  process.exit(1)
}

let isTold = false
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => (isTold = true))

const directory = options.directory ?? mkdtempSync(`${tmpdir()}/kron-torture-`)
mkdirSync(directory, { recursive: true })
// Some daemons run as another user.
chmodSync(directory, 0o755)
const totals = new Map<string, Figures>()
let isDefeated = false
console.log(`torture: seed ${options.seed}, in ${directory}`)
for (const subject of SUBJECTS) {
  const { name, key, parts, byDefault } = subject
  const isWanted = only.length === 0 ? byDefault : [name, ...parts].some(each => only.includes(each))
  if (!isWanted || isTold) continue
  const obstacle = subject.obstacle()
  if (obstacle !== undefined) {
    console.log(`torture: ${name} left out: ${obstacle}`)
    continue
  }
  const began = Date.now()
  let told = began
  mkdirSync(`${directory}/${name}`, { recursive: true })
  const setting: Setting = {
    ...options,
    directory: `${directory}/${name}`,
    isOver: () => isTold || Date.now() - began > span,
    onProgress: figures => {
      if (Date.now() - told < PROGRESS_EVERY) return
      told = Date.now()
      printProgress(name, told - began, figures)
    },
    onPart: figures => {
      totals.set(key, sum(totals.get(key) ?? {}, figures))
      if (recordTo !== undefined) addToFile(recordTo, key, figures)
    },
  }
  for (const { what } of await subject.run(setting)) {
    isDefeated = true
    console.error(`torture: ${what}`)
  }
}
printTable(totals)
if (isDefeated) console.error(`torture: the evidence is in ${directory}; the seed was ${options.seed}`)
else rmSync(directory, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
process.exit(isDefeated ? 1 : 0)
