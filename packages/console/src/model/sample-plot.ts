import type { Job } from '@kron/core'

/** Why no plot of the samples is drawn; undefined if there is one. `job` is undefined if its schedule cannot be read. */
export function whyNoPlot(job: Job | undefined, windowStart: number, windowEnd: number): string | undefined {
  if (windowStart === windowEnd) return 'The window is a single second: no sample is drawn.'
  if (job === undefined) return 'This console cannot read the schedule: it cannot draw the curve.'
  return undefined
}
