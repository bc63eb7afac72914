/**
 * Nine daemons in one run, with the same jobs: the reader of the log reads (twice), is stopped, slow, dead or closed, or
 * the disk of the log is full; two controls are late on purpose. Their minutes begin one after the other, so that no two
 * daemons start jobs together, in another order in each round. For each minute the median lateness of a daemon's starts is
 * compared with that of the two daemons whose logs are read, and these two with each other. A reader fails if its starts are
 * later, are missing or happen twice, or if dropped lines are not counted; a control fails if it is not found late, or if it
 * is late because it crashed.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { commandLine } from '../command-line.ts'
import { currentCommit } from '../reliability/run.ts'
import { Slots } from './clock.ts'
import { READERS, Variant } from './variant.ts'
import { LATER_MS, type Round, verdictOf } from './verdict.ts'

const RECORD = fileURLToPath(new URL('../reliability/log-reader.json', import.meta.url))
/** Enough for all daemons to start and for the logs that nobody reads to be full. */
const WARM_UP_MINUTES = 11
const MEASURED_MINUTES = 18

const USAGE = `usage: npm run verify -- log-reader [options]
  --rounds N    how often all daemons are compared (default 2); a round takes two minutes
  --record      write the figures to verify/reliability/log-reader.json, in the place of the last ones
`

const { values } = commandLine(USAGE, {
  rounds: { type: 'string', default: '2' },
  record: { type: 'boolean', default: false },
})
const minutes = Array.from({ length: MEASURED_MINUTES }, (_, n) => WARM_UP_MINUTES + n)

async function play(number: number): Promise<Round> {
  const directory = mkdtempSync(`${tmpdir()}/kron-log-reader-`)
  const count = READERS.length
  const slotOf = (index: number): number => (index * 2 ** number + 4 * number) % count
  const variants = READERS.map(
    (reader, n) => new Variant(reader, slotOf(n), `${directory}/${reader.replace(/\W+/g, '-')}`),
  )
  const slots = new Slots(count)
  try {
    for (const each of variants) each.start(slots)
    await pause(slots.dueAt(0, WARM_UP_MINUTES + MEASURED_MINUTES) - Date.now())
    const results = await Promise.all(variants.map(each => each.finish()))
    return { minutes, slots, slotOf: new Map(variants.map(each => [each.reader, each.slot])), results }
  } finally {
    for (const each of variants) each.remove()
    rmSync(directory, { recursive: true, force: true })
  }
}

const rounds: Round[] = []
for (let number = 0; number < Number(values.rounds); number++) rounds.push(await play(number))

const WIDTHS = [20, 7, 7, 6, 8, 14, 10, 20, 30]
const row = (cells: readonly (string | number)[]): string =>
  cells.map((cell, n) => String(cell).padEnd(WIDTHS[n]!)).join(' ')
const shown = (ms: number): string => ms.toFixed(2)
console.log(
  row([
    'reader',
    'starts',
    'missed',
    'twice',
    'dropped',
    'lateness ms',
    'later ms',
    '95 % interval',
    'verdict',
  ]),
)
const verdicts = READERS.map(reader => verdictOf(reader, rounds))
for (const each of verdicts) {
  const { reader, starts, missed, twice, droppedLines, latenessMs, difference } = each
  const interval = `${shown(difference.lower)} to ${shown(difference.upper)}`
  const verdict = each.isLater ? 'later' : `not later than ${shown(difference.upper)} ms`
  const cells = [
    reader,
    starts,
    missed,
    twice,
    droppedLines ?? '-',
    shown(latenessMs),
    shown(difference.median),
  ]
  console.log(row([...cells, interval, verdict]), each.problems.join('; '))
}
const problems = verdicts.reduce((sum, each) => sum + each.problems.length + each.twice, 0)
const readers = verdicts.filter(each => !each.isControl)
const detectable = Math.max(
  ...readers.map(({ difference }) => LATER_MS + difference.median - difference.lower),
)
console.log(`a delay of ${shown(detectable)} ms of the median start would have been reported`)
console.log(
  problems === 0 ? 'ok: no reader delays a start, and both controls are found late' : `${problems} problems`,
)
if (values.record) {
  const figures = verdicts.map(({ reader, difference: { median, lower, upper }, ...each }) => [
    reader,
    {
      starts: each.starts,
      missed: each.missed,
      twice: each.twice,
      ...(each.droppedLines === undefined ? {} : { droppedLines: each.droppedLines }),
      // JSON has no number for starts that never came.
      ...(Number.isFinite(upper)
        ? { laterMs: rounded(median), lowerMs: rounded(lower), upperMs: rounded(upper) }
        : {}),
      ...(each.isControl ? { foundLate: each.isLater ? 1 : 0 } : {}),
      problems: each.problems.length,
    },
  ])
  const last = { detectableMs: rounded(detectable), date: new Date().toISOString(), commit: currentCommit() }
  writeFileSync(RECORD, `${JSON.stringify({ ...Object.fromEntries(figures), ...last }, null, 2)}\n`)
}
process.exitCode = problems === 0 ? 0 : 1

function rounded(ms: number): number {
  return Math.round(ms * 100) / 100
}
