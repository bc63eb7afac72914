import { hash } from 'node:crypto'
import { parseJobFile } from '@kron/host'
import { VirtualClock } from '@kron/runtime'
import { manyJobs } from '@kron/testkit/many-jobs'
import { Daemon } from '../../../packages/krond/src/effects/daemon.ts'
import type { Processes } from '../../../packages/krond/src/effects/ports.ts'
import { StartPriority } from '../../../packages/krond/src/effects/start-priority.ts'
import type { StateStore } from '../../../packages/krond/src/store/state-store.ts'
import { sizes } from '../quick.ts'
import { printCurve } from '../table.ts'

const SIZES = sizes([1_000, 10_000, 100_000, 1_000_000])
const NOW = Date.parse('2026-03-01T00:00:00Z')
const HOURS = 2
const SECOND = 1_000

/** A disk that costs nothing, so that only the planning is measured. */
const store = {
  load: async () => ({ kind: 'new' }),
  loaded: () => {},
  record: async () => {},
} as unknown as StateStore

const processes = {
  claimsId: 'c',
  claims: async () => [],
  start: async () => ({
    kind: 'started',
    run: {
      pid: 2,
      processStart: 1,
      shimPid: 1,
      startedAt: NOW,
      ended: Promise.resolve({ exitCode: 0, signal: null }),
      end: async () => true,
    },
  }),
} as unknown as Processes

/** The processor time of planning all jobs, and of a start with everything that surrounds it but disk and process. */
export async function planning(): Promise<void> {
  const plan: [number, number][] = []
  const wake: [number, number][] = []
  for (const jobs of SIZES) {
    const { entries } = parseJobFile(manyJobs(jobs), '/jobs.kron')
    const clock = new VirtualClock({ now: NOW })
    let starts = 0
    const daemon = new Daemon({
      clock,
      store,
      priority: new StartPriority(clock),
      pauses: { load: async () => [], save: async () => {} },
      processes,
      boot: { id: 'b', time: () => clock.monotonic() },
      emit: event => {
        if (event.event === 'started') starts++
      },
      hash: text => hash('sha256', text, 'hex'),
      newId: () => 'e',
      debug: false,
      fatal: error => {
        throw error
      },
      maxConcurrent: Number.POSITIVE_INFINITY,
    })
    const began = process.cpuUsage()
    await daemon.start(entries)
    plan.push([jobs, millisecondsSince(began) / jobs])
    // The first windows open with the first hours of the day in the east.
    await clock.run(3 * 3_600 * SECOND)
    const before = starts
    const woken = process.cpuUsage()
    await clock.run(HOURS * 3_600 * SECOND)
    wake.push([jobs, (millisecondsSince(woken) / (starts - before)) * 1_000])
    await daemon.stop('leave')
  }
  printCurve({
    title: 'krond planning by number of jobs, CPU a job',
    unit: 'µs',
    lines: [{ name: 'load and plan', points: plan.map(([jobs, ms]) => [jobs, ms * 1_000]) }],
  })
  printCurve({
    title: 'krond wake-up by number of jobs, CPU a start',
    unit: 'µs',
    lines: [{ name: 'wake, judge, record, plan', points: wake }],
  })
}

function millisecondsSince(start: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(start)
  return (user + system) / 1_000
}
