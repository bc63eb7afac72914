import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileStore, makeScheduler, memoryStore, type Registration, type Store } from '@kron/scheduler'
import { BEFORE_SHIM, earlierSources } from '../../earlier.ts'
import { loadPeers } from '../peers.ts'

export const ZONE = 'Europe/Paris'
/** The scheduler of the commit before kron-shim. */
export const BEFORE = 'Kron before'

export interface Task {
  readonly name: string
  readonly cron: string
  readonly run: () => void
}

/** Registers all tasks, as the library's own users would. */
export type Register = (tasks: readonly Task[]) => Promise<void> | void

const CONTENDERS: Readonly<Record<string, () => Promise<Register>>> = {
  Kron: async () => kron(memoryStore()),
  [BEFORE]: async () => {
    const entry = join(earlierSources(BEFORE_SHIM)!, 'packages/scheduler/src/index.ts')
    const earlier = (await import(entry)) as typeof import('@kron/scheduler')
    return kron(earlier.memoryStore(), earlier.makeScheduler)
  },
  'Kron, file store': async () => {
    const directory = mkdtempSync(join(tmpdir(), 'kron-bench-'))
    process.on('exit', () => rmSync(directory, { recursive: true, force: true }))
    return kron(fileStore(directory))
  },
  'cron-schedule': async () => {
    const { TimerBasedCronScheduler, parseCronExpression } = await loadPeers()
    const { setInterval } = TimerBasedCronScheduler as {
      setInterval(cron: unknown, run: () => void): unknown
    }
    return tasks => {
      for (const { cron, run } of tasks) {
        setInterval.call(TimerBasedCronScheduler, parseCronExpression(cron), run)
      }
    }
  },
  croner: async () => {
    const { Cron } = await loadPeers()
    return tasks => {
      for (const { cron, run } of tasks) new Cron(cron, { timezone: ZONE }, run)
    }
  },
  'node-cron': async () => {
    const { nodeCron } = await loadPeers()
    const { schedule } = nodeCron as { schedule(cron: string, run: () => void, options: object): unknown }
    return tasks => {
      // Otherwise what is a second late would not start at all.
      const options = { timezone: ZONE, missedExecutionTolerance: 3_600_000 }
      for (const { cron, run } of tasks) schedule(cron, run, options)
    }
  },
  'node-schedule': async () => {
    const { nodeSchedule } = await loadPeers()
    const { scheduleJob } = nodeSchedule as { scheduleJob(rule: object, run: () => void): unknown }
    return tasks => {
      for (const { cron, run } of tasks) scheduleJob({ rule: cron, tz: ZONE }, run)
    }
  },
}

export function contender(name: string): Promise<Register> {
  const make = CONTENDERS[name]
  if (make === undefined) throw new Error(`there is no contender ${name}`)
  return make()
}

function kron(store: Store, make = makeScheduler): Register {
  return tasks => {
    const list = tasks.map(({ name, cron, run }): Registration => [name, cron, run, 60_000])
    return make({ store }).initialize(list)
  }
}
