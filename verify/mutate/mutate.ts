/** Mutates the engine in one place at a time and lists the mutations that no test notices. */
import { globSync, readFileSync } from 'node:fs'
import { commandLine } from '../command-line.ts'
import { writePages } from '../reliability/run.ts'
import { mutate } from './campaign.ts'
import { addToRecord, recordsOf } from './record.ts'
import type { Site } from './sites.ts'

const USAGE = `usage: npm run verify -- mutate [options] [part of a file's path ...]
  --sample N        only every Nth mutant (default 1)
  --tests PART,...  only test files whose path has one of these parts
  --record          add the figures to verify/reliability/mutation.json

  npm run verify -- mutate --sample 10
  npm run verify -- mutate --record core/src/turn/policy core/src/turn/plan
`

const { values: given, positionals: parts } = commandLine(
  USAGE,
  {
    sample: { type: 'string', default: '1' },
    tests: { type: 'string', default: '' },
    record: { type: 'boolean', default: false },
  },
  { takesWords: true },
)

/** The sources that take part in decisions; golden values pin every bit of `math`, so it is left out. */
const AREAS = [
  {
    sources: ['packages/core/src/**/*.ts'],
    tests: ['packages/core/src/**/*.test.ts', 'vectors/vectors.test.ts'],
  },
  {
    sources: [
      'packages/host/src/state/{advance,execution-record,manual-runs,state,state-document,state-event}.ts',
    ],
    tests: ['packages/host/src/state/*.test.ts'],
  },
  {
    sources: [
      'packages/scheduler/src/task/*.ts',
      'packages/scheduler/src/loop/{backoff,clock-watch,agenda}.ts',
    ],
    tests: [
      'packages/scheduler/src/{task,registration,loop}/*.test.ts',
      'packages/scheduler/src/conformance/*.test.ts',
    ],
  },
]
/** They take more than a second each, and others notice the same. */
const SLOW_TESTS = [
  'the set above the watermark stays within what can be open',
  'lines of a million characters are read or rejected, with a hundred faults at most',
  'an instant is allowed exactly when the calendar in its zone says so',
  'the chance is that of the periods themselves',
  'the chosen second lies in the window and keeps the constraints',
  "an explanation's last attempt is the decision, and all before it were refused",
]
const SLOW_FILES = /statistics|search\.property/
const LEFT_OUT = /\/math\/|index\.ts$|\.d\.ts$/
const isTest = (file: string): boolean => file.endsWith('.test.ts')
const find = (patterns: readonly string[]): string[] =>
  globSync([...patterns])
    .filter(file => !LEFT_OUT.test(file))
    .sort()

/** Mutants that change nothing anyone could see, each with the reason. */
const JUSTIFIED: Readonly<Record<string, string>> = JSON.parse(
  readFileSync(new URL('justified.json', import.meta.url), 'utf8'),
)

const isWanted = (file: string): boolean => given.tests.split(',').some(part => file.includes(part))
const began = performance.now()
const tried: Site[] = []
const missed: Site[] = []
for (const area of AREAS) {
  const sources = find(area.sources).filter(
    file => !isTest(file) && (parts.length === 0 || parts.some(part => file.includes(part))),
  )
  if (sources.length === 0) continue
  const found = await mutate({
    sources,
    testFiles: find(area.tests).filter(file => isTest(file) && !SLOW_FILES.test(file) && isWanted(file)),
    slowTests: SLOW_TESTS,
    every: Number(given.sample),
    onProgress: line => console.error(`${Math.round((performance.now() - began) / 1000)} s: ${line}`),
  })
  tried.push(...found.tried)
  missed.push(...found.survivors, ...found.unreached)
}

const records = recordsOf(tried, missed, name => Object.hasOwn(JUSTIFIED, name))
const open = Object.values(records).flatMap(each => each.open)
console.log(`${tried.length} mutants, ${missed.length - open.length} justified, ${open.length} open`)
for (const name of open) console.log(`  ${name}`)
if (given.record) {
  addToRecord(records)
  writePages()
}
process.exitCode = open.length === 0 ? 0 : 1
