import { PeriodOfFleet } from '../forecast/fleet.ts'
import { periodsWithin } from '../forecast/periods.ts'
import type { Job } from '../schedule/schedule.ts'

/** The time over which starts are counted, in buckets. Epoch seconds. */
export interface Span {
  readonly from: number
  readonly to: number
  readonly bucket: number
}

/** The starts of one job: how many fall into which bucket. Buckets without a start are left out. */
export interface Starts {
  readonly buckets: Uint32Array
  readonly counts: Uint32Array
}

/** The starts of a job with one salt for each host that has it. */
export function startsOf(job: Job, salts: readonly string[], { from, to, bucket }: Span): Starts {
  const counts = new Map<number, number>()
  const periods = job.schedule.policy.suspend ? [] : periodsWithin(job.schedule, from, to)
  for (const nominal of periods) {
    const period = new PeriodOfFleet(job, nominal)
    let chosen: number | null = null
    for (let i = 0; i < salts.length; i++) {
      if (i === 0 || salts[i] !== salts[i - 1]) chosen = period.chosen(salts[i]!)
      if (chosen === null || chosen < from || chosen >= to) continue
      const index = Math.floor((chosen - from) / bucket)
      counts.set(index, (counts.get(index) ?? 0) + 1)
    }
  }
  return { buckets: Uint32Array.from(counts.keys()), counts: Uint32Array.from(counts.values()) }
}

export const bucketsOf = ({ from, to, bucket }: Span): number => Math.max(1, Math.ceil((to - from) / bucket))

/** Adds starts to a load, or takes them away. */
export function addStarts(load: Uint32Array, { buckets, counts }: Starts, sign: 1 | -1 = 1): void {
  for (let i = 0; i < buckets.length; i++) load[buckets[i]!]! += sign * counts[i]!
}
