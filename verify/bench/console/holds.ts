import { runningOf } from '@kron/testkit/krond/http/watched-machine'
import { Machine } from '@kron/testkit/krond/simulation/machine'
import { Forecasts } from '../../../packages/krond/src/http/answers/forecast.ts'
import { JobIndex } from '../../../packages/krond/src/http/job-index.ts'
import { printJson } from '../../../packages/krond/src/http/json.ts'
import { Ledger } from '../../../packages/krond/src/http/ledger.ts'
import { answer, findRoute } from '../../../packages/krond/src/http/routes.ts'
import type { Work } from '../../../packages/krond/src/http/slices.ts'
import type { Subject } from '../../../packages/krond/src/http/subject.ts'
import { digits, printTable } from '../table.ts'
import { busyJobs } from './jobs.ts'
import { historyOfRows, PATHS } from './load.ts'

const REPEATS = 5

/** For how long answers hold the event loop before they let others have it: of each, the repeat that was disturbed least. */
export async function measureHolds(counts: readonly number[]): Promise<void> {
  const columns = new Map<number, Map<string, number>>()
  for (const count of counts) columns.set(count, await holdsOf(count))
  printTable(
    ['longest hold of the event loop', ...counts.map(count => `${count.toLocaleString('en')} jobs`)],
    [...columns.get(counts[0]!)!.keys()].map(path => [
      path,
      ...counts.map(count => `${digits(columns.get(count)!.get(path)!)} ms`),
    ]),
  )
}

async function holdsOf(count: number): Promise<Map<string, number>> {
  const subject = await subjectOf(count)
  const holds = new Map<string, number>()
  for (const url of [...PATHS, historyOfRows('/jobs.kron')]) {
    const { pathname: path, searchParams: parameters } = new URL(url, 'http://krond')
    if (!path.startsWith('/api/')) continue
    const longest: number[] = []
    for (let i = 0; i < REPEATS; i++) {
      let most = 0
      // Forecasts are kept: each repeat has to make its own.
      const fresh = { ...subject, forecasts: new Forecasts() }
      const run = async <T>(work: Work<T>): Promise<T> => {
        const { value, hold } = stepThrough(work)
        most = Math.max(most, hold)
        return value
      }
      const viewer = { kind: 'anybody', from: 'bench' } as const
      const asked = { method: 'GET', path, parameters, subject: fresh, run, viewer }
      await run(printJson(await answer(findRoute('GET', path), asked)))
      longest.push(most)
    }
    holds.set(url.replace(/&job=.*/, '&job=… (16 jobs)'), Math.min(...longest))
  }
  return holds
}

/** The result of the work, and the most processor time it took between two pauses. */
function stepThrough<T>(work: Work<T>): { readonly value: T; readonly hold: number } {
  let hold = 0
  for (;;) {
    const begun = process.cpuUsage()
    const { done, value } = work.next()
    const { user, system } = process.cpuUsage(begun)
    hold = Math.max(hold, (user + system) / 1_000)
    if (done) return { value, hold }
  }
}

/** A daemon in a simulated host, after two minutes of work. */
async function subjectOf(count: number): Promise<Subject> {
  const machine = new Machine({ now: Date.UTC(2030, 0, 1) / 1_000 })
  const ledger = new Ledger(() => machine.clock.now())
  await machine.boot(busyJobs(count))
  await machine.run(120)
  for (const event of machine.events) ledger.observe(event)
  const running = runningOf(machine)
  return {
    ...running,
    ledger,
    index: new JobIndex(running.jobs),
    forecasts: new Forecasts(),
    isForgetful: false,
    instance: 'bench',
    version: '0',
    startedAt: 0,
    now: () => Math.floor(machine.clock.now() / 1_000),
  }
}
