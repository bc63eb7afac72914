/** Attacks the parsers. */
import { parseDuration } from '@kron/core'
import { commandLine } from '../command-line.ts'
import { writePages } from '../reliability/run.ts'
import { addFinding, readInputs, writeInputs } from './corpus.ts'
import type { Progress } from './explore.ts'
import { addToRecord } from './record.ts'
import { TARGETS } from './target.ts'
import { watch } from './watch.ts'

const USAGE = `usage: npm run verify -- fuzz [options]
  --target NAME,...  which parsers (default all): ${Object.keys(TARGETS).join(', ')}
  --for DURATION     how long in all (default 1m)
  --most N           so many executions of each target instead, the same in every run with the same seed
  --seed N           what chance begins with (default: the time)
  --record           keep the corpus, and add the figures to verify/reliability/fuzz.json

  npm run verify -- fuzz --target cron,schedule --for 5m
  npm run verify -- fuzz --most 10000 --seed 1
`

const { values: given } = commandLine(USAGE, {
  target: { type: 'string', default: 'all' },
  for: { type: 'string', default: '1m' },
  most: { type: 'string' },
  seed: { type: 'string', default: String(Date.now() % 1e9) },
  record: { type: 'boolean', default: false },
})
const names = given.target === 'all' ? Object.keys(TARGETS) : given.target.split(',')
const unknown = names.filter(name => !Object.hasOwn(TARGETS, name))
const time = parseDuration(given.for)
if (unknown.length > 0 || !time.ok) {
  console.error(
    unknown.length > 0
      ? `error: no target ${unknown.join(', ')}; targets are ${Object.keys(TARGETS).join(', ')}`
      : `error: --for ${given.for} is not a duration`,
  )
  process.exit(2)
}

/** Targets that take this many times longer than others get as many executions less. */
const SLOW: Readonly<Record<string, number>> = { ics: 20 }

/** Milliseconds a share lasts in turn: everything has its turn soon and often, but starting must not take the time. */
const LONGEST_SHARE = 1_000
const SHORTEST_TURN = 1_000
const shares = names.reduce((sum, name) => sum + TARGETS[name]!, 0)
const total = time.value / 1e6
const most = given.most === undefined ? undefined : Number(given.most)
const turns = most === undefined ? Math.max(1, Math.round(total / (shares * LONGEST_SHARE))) : 1
let executions = 0
let failures = 0

for (let turn = 0; turn < turns && (turn === 0 || performance.now() < total); turn++) {
  for (const name of names) {
    const line = (done: Progress, seconds: number): string =>
      `${name}: ${done.executions} executions, ${Math.round(done.executions / seconds)}/s, corpus ${done.corpus.length}, branches ${done.branches} of ${done.ofBranches}`
    const began = performance.now()
    const { progress, crashes, hung } = await watch({
      module: new URL(`targets/${name}.ts`, import.meta.url).href,
      known: [...readInputs('findings', name), ...readInputs('corpus', name)],
      seed: Number(given.seed) + turn,
      ...(most === undefined
        ? { time: Math.max(SHORTEST_TURN, (total * TARGETS[name]!) / shares / turns) }
        : { time: Number.POSITIVE_INFINITY, most: Math.ceil(most / (SLOW[name] ?? 1)) }),
      onProgress: done =>
        process.stderr.isTTY && process.stderr.write(`\r${line(done, (performance.now() - began) / 1000)}  `),
    })
    if (process.stderr.isTTY) process.stderr.write('\r')
    console.log(line(progress, (performance.now() - began) / 1000))
    executions += progress.executions
    for (const { input, stack } of crashes) fail(name, input, stack)
    if (hung !== undefined) fail(name, hung, 'it hangs')
    if (!given.record) continue
    if (progress.corpus.length > 0) writeInputs('corpus', name, progress.corpus)
    const { corpus, ...counts } = progress
    const hangs = hung === undefined ? 0 : 1
    addToRecord(name, { ...counts, corpus: corpus.length, crashes: crashes.length, hangs })
  }
}

function fail(name: string, input: string, why: string): void {
  failures++
  addFinding(name, input)
  console.error(`${name} FAILED on ${JSON.stringify(input.slice(0, 300))}\n${why}`)
}

if (given.record) writePages()
console.log(`${executions} executions, ${failures} failures, seed ${given.seed}`)
process.exitCode = failures === 0 ? 0 : 1
