import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { nodeDisk, systemClock } from '@kron/runtime'
import { StateStore } from '../../../packages/krond/src/store/state-store.ts'
import { printTable, printTarget } from '../table.ts'
import type { Workshop } from './workshop.ts'

const RECORDS = 20_000
const TIME = '2026-03-01T00:00:00Z'

/** Intents as they come from many jobs at once, each durable before its promise resolves. */
export async function durability({ directory }: Workshop): Promise<void> {
  const rates = new Map<number, number>()
  for (const waiting of [1, 8, 64]) rates.set(waiting, await rateOf(waiting, directory))
  printTable(
    ['jobs that wait for the disk at a time', 'durable intents'],
    [...rates].map(([waiting, rate]) => [String(waiting), `${Math.round(rate)} /s`]),
  )
  printTarget('durable intents, 64 at a time', rates.get(64)!, 'at least', 2_000, ' /s')
}

async function rateOf(waiting: number, directory: string): Promise<number> {
  const store = await StateStore.open({
    disk: nodeDisk,
    directory: mkdtempSync(join(directory, 'state-')),
    clock: systemClock,
    history: 50,
    fatal: error => {
      throw error
    },
  })
  const total = waiting === 1 ? RECORDS / 20 : RECORDS
  let next = 0
  const lane = async (): Promise<void> => {
    while (next < total) {
      const at = next++
      const execution = {
        PeriodID: TIME,
        PID: 0,
        StartedAt: '',
        ChosenTime: TIME,
        ExecutionID: `e-${at}`,
        BootID: 'b',
        BootTime: 0,
        ProcessStart: 0,
      }
      await store.record(`/jobs.kron:job-${at % 100}`, at + 1, { kind: 'intended', execution })
    }
  }
  const began = performance.now()
  await Promise.all(Array.from({ length: waiting }, lane))
  const seconds = (performance.now() - began) / 1_000
  await store.close()
  return total / seconds
}
