/** Runs tests in a thread of its own: once as they are, or with one thing made wrong after the other. */
import { parentPort, workerData } from 'node:worker_threads'
import fc from 'fast-check'
import { load } from './load.ts'
import type { Assignment, Message } from './watch.ts'

const { sources, testFiles, slowTests, active, trials } = workerData as Assignment
const tell = (message: Message): void => parentPort!.postMessage(message)
const CONTEXT = { diagnostic() {}, after() {} }

// The same cases for every mutant: whether it survives must not be luck.
fc.configureGlobal({ seed: 8 })
const { mutant, sites, tests, reachedByLoading } = await load(sources, testFiles, active)

async function fails(test: number): Promise<boolean> {
  try {
    await tests[test]!.run(CONTEXT)
    return false
  } catch {
    return true
  }
}

if (trials === undefined) {
  tell({ kind: 'sites', sites: [...sites], reachedByLoading: [...reachedByLoading] })
  for (const [index, { name }] of tests.entries()) {
    if (slowTests.includes(name)) continue
    const reached = new Set<number>()
    mutant.reached = reached
    const began = process.threadCpuUsage()
    const failed = await fails(index)
    const { user, system } = process.threadCpuUsage(began)
    const time = (user + system) / 1_000
    tell({ kind: 'test', test: { index, name, failed, time, reached: [...reached] } })
  }
} else {
  for (const { site, tests: chosen } of trials) {
    mutant.active = site
    let noticed = false
    for (const { index, time } of chosen) {
      if (noticed) break
      tell({ kind: 'begin', time })
      noticed = await fails(index)
    }
    mutant.active = active
    tell({ kind: 'verdict', site, noticed })
  }
}
tell({ kind: 'end' })
process.exit()
