/** Runs the benchmarks: `npm run verify -- bench`, or `npm run verify -- bench --only engine,krontab`. */
import { cpus, loadavg } from 'node:os'
import { commandLine } from '../command-line.ts'
import { compareWithStored } from './compare.ts'
import { openPage, type Page } from './notebook.ts'
import { Quiet, untilQuiet } from './quiet.ts'
import { writeReport } from './report.ts'
import { storePage } from './results.ts'

const AXES = ['engine', 'krontab', 'scheduler', 'krond', 'console'] as const

const USAGE = `usage: npm run verify -- bench [--only ${AXES.join(',')}] [--quick] [--compare]

  (nothing)  measures Kron beside its peers, keeps the figures in verify/bench/results
             and brings docs/performance.md up to date, unless the machine was disturbed
  --quick    fewer rounds and smaller sizes, all axes in under half an hour; keeps nothing
  --compare  measures again and holds the ratios against those kept;
             exit code 1 if one became worse, twice, than the spread of the runs explains
`

const { values } = commandLine(USAGE, {
  only: { type: 'string' },
  quick: { type: 'boolean' },
  compare: { type: 'boolean' },
})
const wanted = values.only?.split(',') ?? AXES
const unknown = wanted.filter(axis => !AXES.some(each => each === axis))
if (unknown.length > 0) {
  console.error(`error: unknown benchmark ${unknown.join(', ')}; there are ${AXES.join(', ')}`)
  process.exit(1)
}

const machine = `Node ${process.version}, zone data ${process.versions['tz']}, ${process.platform} ${process.arch}, ${cpus().length} cores`
/** The axes that were measured while the machine was not left alone. */
const disturbed = new Set<string>()
console.log(machine)
const pages = await measure(wanted)
if (values.compare) {
  const worse = compareWithStored(pages)
  if (worse.size > 0) {
    // A machine that was busy for a minute is not a regression; a figure that is worse twice is one.
    console.log(`\nworse: ${[...worse.keys()].join(', ')}; measured once more`)
    const again = compareWithStored(await measure(new Set(worse.values())))
    const confirmed = [...again.keys()].filter(what => worse.has(what))
    console.log(
      `\n${confirmed.length === 0 ? 'nothing was worse both times' : `WORSE both times: ${confirmed.join(', ')}`}`,
    )
    if (confirmed.length > 0) process.exitCode = 1
  }
} else if (values.quick) {
  console.log('\nnothing is recorded: a quick run is for a look')
} else {
  for (const page of pages) if (!disturbed.has(page.axis)) storePage(page)
  writeReport()
}

async function measure(axes: Iterable<string>): Promise<Page[]> {
  const pages: Page[] = []
  for (const axis of axes) {
    console.log(`\n# ${axis}`)
    await untilQuiet()
    const page = openPage(axis, `${machine}, load ${loadavg()[0]!.toFixed(1)} at the beginning`)
    const quiet = new Quiet()
    const { default: run } = (await import(`./${axis}.ts`)) as { default: () => Promise<void> }
    try {
      await run()
      pages.push(page)
      const isPart = axis === 'krond' && process.env['KRON_BENCH_KROND'] !== undefined
      const reasons = [...quiet.disturbances(), ...(isPart ? ['only a part of it was measured'] : [])]
      if (reasons.length > 0) disturbed.add(axis)
      for (const reason of reasons) console.log(`\n${axis} is not recorded: ${reason}`)
    } catch (error) {
      // The other axes are measured anyway.
      console.error(`error: ${axis} could not be measured to its end:`, error)
      process.exitCode = 1
    }
  }
  return pages
}
