import { Agent } from 'node:http'
import type { Krond } from '../../../packages/console/e2e/krond.test-support.ts'
import { digits, printTable } from '../table.ts'
import { historyOfRows, PATHS, quantile, timed } from './load.ts'

const MEASURED_MS = 30_000

/** Every path in turn, so that all meet the same machine. */
export async function measureApi(krond: Krond): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const paths = [...PATHS, historyOfRows(krond.jobFile)]
  const timings = new Map<string, number[]>(paths.map(path => [path, []]))
  for (const end = performance.now() + MEASURED_MS; performance.now() < end; )
    for (const path of paths) timings.get(path)!.push(await timed(krond, path, agent))
  agent.destroy()
  const health = quantile(timings.get('/healthz')!, 0.99)
  printTable(
    ['answer, 10,000 jobs', 'p50', 'p99', 'p99 beside /healthz'],
    [...timings].map(([path, values]) => [
      path.replace(/&job=.*/, '&job=… (16 jobs)'),
      `${digits(quantile(values, 0.5))} ms`,
      `${digits(quantile(values, 0.99))} ms`,
      `${digits(quantile(values, 0.99) / health)}×`,
    ]),
  )
}
