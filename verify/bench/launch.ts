/** Starts of the present daemon beside those of the commit before kron-shim, alternately, in the same minutes. */
import { loadavg } from 'node:os'
import type { TestContext } from 'node:test'
import { parseArgs } from 'node:util'
import { Krond } from '@kron/testkit/krond/blackbox/krond'
import { BEFORE_SHIM, earlierSources } from '../earlier.ts'

const { values } = parseArgs({ options: { rounds: { type: 'string' }, jobs: { type: 'string' } } })
const rounds = Number(values.rounds ?? 5)
const jobs = Number(values.jobs ?? 1_000)
const PERIOD = Date.parse('2026-03-01T12:00:00Z')
/** From the start of a daemon to the period, in ms. */
const LEAD = 12_000

const earlier = earlierSources(BEFORE_SHIM)
if (earlier === undefined) {
  console.error(`error: commit ${BEFORE_SHIM} cannot be had here (it needs the whole history, and npm)`)
  process.exit(1)
}

/** Lateness of every start, in ms, in order. */
async function lateness(count: number, sources: string | undefined): Promise<number[]> {
  const undo: (() => unknown)[] = []
  const context = { after: (act: () => unknown) => undo.push(act) } as unknown as TestContext
  const krond = new Krond(context, { at: PERIOD - LEAD })
  const line = (i: number): string =>
    `0 * * * * @policy(deadline=5m) name=job-${i} stdout=discard stderr=discard command=/bin/true`
  krond.write(Array.from({ length: count }, (_, i) => line(i)))
  await krond.start(sources === undefined ? {} : { earlier: sources })
  await krond.eventually(() => krond.events('finished').length >= count, 'all runs to end')
  await krond.stop()
  const found = krond.events('started').map(each => Number(each['lateness_ms']))
  for (const act of undo) act()
  return found.sort((a, b) => a - b)
}

const middle = (numbers: readonly number[]): number => numbers[Math.floor(numbers.length / 2)]!
const report: Record<string, { burst: number[]; middle: number[]; single: number[] }> = {}
for (let round = 0; round < rounds; round++)
  for (const [name, sources] of [
    ['before', earlier],
    ['now', undefined],
  ] as const) {
    report[name] ??= { burst: [], middle: [], single: [] }
    const figures = report[name]
    const burst = await lateness(jobs, sources)
    figures.burst.push(burst.at(-1)!)
    figures.middle.push(middle(burst))
    figures.single.push((await lateness(1, sources))[0]!)
    console.log(`round ${round + 1}, ${name}: last of ${jobs} ${burst.at(-1)} ms late, load ${loadavg()[0]}`)
  }
for (const [name, { burst, middle: halves, single }] of Object.entries(report)) {
  const text = [burst, halves, single].map(list => middle(list.sort((a, b) => a - b)))
  console.log(
    `${name}: median of ${rounds}: last of ${jobs} starts ${text[0]} ms late, half of them ${text[1]} ms, a single start ${text[2]} ms`,
  )
}
