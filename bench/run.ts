/** Runs the benchmarks: `npm run bench`, or `npm run bench -- --only engine,krontab`. */
import { cpus, loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { compareWithStored } from './compare.ts'
import { openPage, type Page } from './notebook.ts'
import { writeReport } from './report.ts'
import { storePage } from './results.ts'

const AXES = ['engine', 'krontab', 'scheduler', 'krond', 'console'] as const

const HELP = `usage: npm run bench [-- --only ${AXES.join(',')}]
       npm run bench:compare [-- --only ...]

  bench          measures Kron beside its peers, keeps the figures in bench/results
                 and brings docs/performance.md up to date
  bench:compare  measures again and holds the ratios against those kept;
                 exit code 1 if one became worse than the spread of both runs explains
`

const { values } = parseArgs({
  options: { only: { type: 'string' }, compare: { type: 'boolean' }, help: { type: 'boolean' } },
})
if (values.help) {
  process.stdout.write(HELP)
  process.exit()
}
const wanted = values.only?.split(',') ?? AXES
const unknown = wanted.filter(axis => !AXES.some(each => each === axis))
if (unknown.length > 0) {
  console.error(`error: unknown benchmark ${unknown.join(', ')}; there are ${AXES.join(', ')}`)
  process.exit(1)
}

const machine = `Node ${process.version}, zone data ${process.versions['tz']}, ${process.platform} ${process.arch}, ${cpus().length} cores`
console.log(machine)
const pages: Page[] = []
for (const axis of wanted) {
  console.log(`\n# ${axis}`)
  const page = openPage(axis, `${machine}, load ${loadavg()[0]!.toFixed(1)} at the beginning`)
  const { default: run } = (await import(`./${axis}.ts`)) as { default: () => Promise<void> }
  try {
    await run()
    pages.push(page)
  } catch (error) {
    // The other axes are worth having all the same.
    console.error(`error: ${axis} could not be measured to its end:`, error)
    process.exitCode = 1
  }
}
if (values.compare) {
  if (!compareWithStored(pages)) process.exitCode = 1
} else {
  for (const page of pages) storePage(page)
  writeReport()
}
