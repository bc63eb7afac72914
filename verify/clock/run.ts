/**
 * The delivered daemon under libfaketime, with jobs that run meanwhile: the clock is wrong by one second to ten years,
 * ahead or behind, while it runs, when it starts, or jumping back and forth; then it is right again. Or the machine
 * sleeps for that time, and the clock stays ahead. No period may run twice; within a minute every job's next start must be right, and the log and `status` must
 * say what happened.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { fileURLToPath } from 'node:url'
import { commandLine } from '../command-line.ts'
import { fakedWallObstacle } from '../torture/krond/wall.ts'
import { addToFile } from '../torture/record.ts'
import { type Case, type Mode, play, type Verdict } from './case.ts'

const RECORD = fileURLToPath(new URL('../reliability/clock.json', import.meta.url))
const DAY = 86_400
const OFFSETS = [1, 59, 3_600, DAY, 40 * DAY, 365 * DAY, 3_652 * DAY]
const MODES: readonly Mode[] = ['running', 'start', 'oscillating', 'suspended']

const USAGE = `usage: npm run verify -- clock [options]
  --only N,...   only these seconds by which the clock is wrong, such as 3600,-59
  --mode NAME    only running, start, oscillating or suspended
  --at-once N    how many daemons run at a time (default 8)
  --record       add the figures to verify/reliability/clock.json

  npm run verify -- clock --only 3600 --at-once 6
`

const { values } = commandLine(USAGE, {
  only: { type: 'string' },
  mode: { type: 'string' },
  'at-once': { type: 'string', default: '8' },
  record: { type: 'boolean', default: false },
})
const obstacle = fakedWallObstacle()
if (obstacle !== undefined) {
  console.error(`error: ${obstacle}`)
  process.exit(1)
}
const cases: Case[] = MODES.filter(mode => values.mode === undefined || values.mode === mode).flatMap(mode =>
  OFFSETS.flatMap(offset => (mode === 'suspended' ? [offset] : [offset, -offset]))
    .filter(offset => values.only === undefined || values.only.split(',').map(Number).includes(offset))
    .map(offset => ({ mode, offset })),
)
const directory = mkdtempSync(`${tmpdir()}/kron-clock-`)
const waiting = cases.entries()
const verdicts: Verdict[] = []
console.log('mode         wrong by s    runs  jumps  reopened  right after s  problems')
const lane = async (): Promise<void> => {
  for (const [n, given] of waiting) {
    const verdict = await play(given, `${directory}/${n}`)
    verdicts.push(verdict)
    const { mode, offset, runs, jumpsLogged, reopened, rightAfter, problems } = verdict
    if (values.record)
      addToFile(RECORD, mode, { cases: 1, executions: runs, reopened, problems: problems.length })
    const cells = [mode.padEnd(12), String(offset).padEnd(13), String(runs).padEnd(5)]
    const more = [String(jumpsLogged).padEnd(6), String(reopened).padEnd(9), rightAfter.toFixed(0).padEnd(14)]
    console.log(`${[...cells, ...more].join(' ')} ${problems.length === 0 ? '-' : problems.join('; ')}`)
  }
}
try {
  await Promise.all(Array.from({ length: Number(values['at-once']) }, lane))
} finally {
  rmSync(directory, { recursive: true, force: true })
}
const bad = verdicts.filter(each => each.problems.length > 0).length
const runs = verdicts.reduce((sum, each) => sum + each.runs, 0)
console.log(`${verdicts.length} cases, ${runs} executions counted by the children, ${bad} with problems`)
process.exitCode = bad === 0 && verdicts.length === cases.length ? 0 : 1
