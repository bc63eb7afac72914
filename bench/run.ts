/** Runs the benchmarks: `npm run bench`, or `npm run bench -- --only engine,krontab`. */
import { existsSync } from 'node:fs'
import { parseArgs } from 'node:util'

const AXES = ['engine', 'krontab', 'scheduler', 'krond', 'console']

const { values } = parseArgs({ options: { only: { type: 'string' } } })
const wanted = values.only?.split(',') ?? AXES
const unknown = wanted.filter(axis => !AXES.includes(axis))
if (unknown.length > 0) {
  console.error(`error: unknown benchmark ${unknown.join(', ')}; there are ${AXES.join(', ')}`)
  process.exit(1)
}

console.log(
  `Node ${process.version}, zone data ${process.versions['tz']}, ${process.platform} ${process.arch}`,
)
for (const axis of wanted) {
  const module = new URL(`./${axis}.ts`, import.meta.url)
  if (!existsSync(module)) {
    console.log(`\n# ${axis}: nothing to run yet`)
    continue
  }
  console.log(`\n# ${axis}`)
  const { default: run } = (await import(module.href)) as { default: () => Promise<void> }
  await run()
}
