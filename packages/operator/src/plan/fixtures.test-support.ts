import { parseInstant } from '@kron/core'
import type { KronJob, KronJobSpec, KronJobStatus } from '../manifest/kronjob.ts'
import type { ObservedJob } from './job.ts'
import { jobNameOf } from './names.ts'
import type { Observed } from './plan.ts'

export const CREATED = '2026-03-01T00:30:30Z'

export function instant(text: string): number {
  const read = parseInstant(text)
  if (!read.ok) throw new Error(text)
  return read.value
}

export const kronJob = (spec: Partial<KronJobSpec> = {}, status?: KronJobStatus): KronJob => ({
  apiVersion: 'kron.io/v1alpha1',
  kind: 'KronJob',
  metadata: {
    name: 'backup',
    namespace: 'shop',
    uid: 'uid-1',
    resourceVersion: '7',
    generation: 1,
    creationTimestamp: CREATED,
  },
  spec: { schedule: '0 * * * *', jobTemplate: { spec: { template: {} } }, ...spec },
  ...(status && { status: { observedGeneration: 1, ...status } }),
})

/** The Job of the period, as the cache holds it. */
export const jobFor = (period: string, rest: Partial<ObservedJob> = {}): ObservedJob => ({
  namespace: 'shop',
  name: jobNameOf('backup', period),
  uid: `job-${period}`,
  ownerName: 'backup',
  ownerUid: 'uid-1',
  period: period.replace(/[-:]/g, ''),
  created: instant(period),
  deleting: false,
  ...rest,
})

export const observed = (rest: Partial<Observed> & { at: string }): Observed => {
  const { at, ...given } = rest
  return { kronJob: kronJob({}, {}), jobs: [], catchUp: false, now: instant(at), ...given }
}
