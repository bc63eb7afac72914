import { Agent, get, type IncomingMessage } from 'node:http'
import { loadavg } from 'node:os'
import type { Krond } from '../../../packages/console/e2e/krond.test-support.ts'
import { median } from '../measure.ts'
import { digits, printTable } from '../table.ts'
import { historyOfRows, PATHS, pause, quantile, timed } from './load.ts'

const ROUNDS = 7
const PHASE_MS = 10_000
const CONNECTIONS = 4
const WATCHERS = 20

interface Phase {
  readonly name: string
  /** Starts, and resolves with what ends it. */
  readonly begin: (krond: Krond) => () => Promise<number>
}

const PHASES: readonly Phase[] = [
  { name: 'nobody looks', begin: () => async () => 0 },
  { name: `${WATCHERS} watch the feed`, begin: krond => watch(krond) },
  { name: `${CONNECTIONS} ask without a pause, ${WATCHERS} watch`, begin: krond => besiege(krond) },
]

/** How late jobs start in peace and while everything is asked for, in phases that take turns. */
export async function measureLateness(krond: Krond): Promise<void> {
  const rounds = PHASES.map(() => [] as number[][])
  const answered = PHASES.map(() => 0)
  for (let round = 0; round < ROUNDS; round++)
    for (let turn = 0; turn < PHASES.length; turn++) {
      const i = (turn + round) % PHASES.length
      const end = PHASES[i]!.begin(krond)
      await pause(500)
      const late: number[] = []
      krond.onEvent = event => event.event === 'started' && late.push(Number(event['lateness_ms']))
      await pause(PHASE_MS)
      krond.onEvent = () => {}
      answered[i]! += await end()
      rounds[i]!.push(late)
    }
  const p50 = (i: number): number[] => rounds[i]!.map(late => quantile(late, 0.5))
  printTable(
    [
      `start lateness, load ${digits(loadavg()[0]!)}`,
      'starts',
      'p50',
      'p99',
      'p50 beside peace',
      'answers/s',
    ],
    PHASES.map(({ name }, i) => {
      const all = rounds[i]!.flat()
      const ratios = p50(i).map((value, round) => value / p50(0)[round]!)
      return [
        name,
        String(all.length),
        `${digits(quantile(all, 0.5))} ms`,
        `${digits(quantile(all, 0.99))} ms`,
        `${digits(median(ratios))}× (${digits(Math.min(...ratios))}–${digits(Math.max(...ratios))})`,
        digits(answered[i]! / ((ROUNDS * PHASE_MS) / 1_000)),
      ]
    }),
  )
}

function watch(krond: Krond): () => Promise<number> {
  const agent = new Agent({ keepAlive: true })
  const watchers: IncomingMessage[] = []
  for (let i = 0; i < WATCHERS; i++)
    get(new URL('api/v1/events', krond.url), { agent }, response => {
      watchers.push(response.resume())
    }).on('error', () => {})
  return async () => {
    for (const watcher of watchers) watcher.destroy()
    agent.destroy()
    return 0
  }
}

function besiege(krond: Krond): () => Promise<number> {
  const stopWatching = watch(krond)
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS })
  const paths = [...PATHS, historyOfRows(krond.jobFile)]
  let asking = true
  let answers = 0
  const ask = async (from: number): Promise<void> => {
    for (let i = from; asking; i++, answers++) await timed(krond, paths[i % paths.length]!, agent)
  }
  const asked = Promise.all(Array.from({ length: CONNECTIONS }, (_, i) => ask(i * 3)))
  return async () => {
    asking = false
    await asked
    agent.destroy()
    await stopWatching()
    return answers
  }
}
