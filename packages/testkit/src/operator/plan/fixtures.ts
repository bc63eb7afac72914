import assert from 'node:assert/strict'
import { decide, parseInstant } from '@kron/core'
import type { KronJob, KronJobSpec, KronJobStatus } from '../../../../operator/src/manifest/kronjob.ts'
import { jobOf, parseSpec } from '../../../../operator/src/manifest/parse.ts'
import { conditionsOf, type Holding } from '../../../../operator/src/plan/conditions.ts'
import { jobManifest, type ObservedJob, referenceTo } from '../../../../operator/src/plan/job.ts'
import { jobNameOf } from '../../../../operator/src/plan/names.ts'
import type { Observed, Plan } from '../../../../operator/src/plan/plan.ts'

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

export const ONE = '2026-03-01T01:00:00Z'
export const TWO = '2026-03-01T02:00:00Z'
export const THREE = '2026-03-01T03:00:00Z'
export const TWO_NAME = jobFor(TWO).name

export const decisionAt = ({ kronJob: { spec } }: Observed, period: string) => {
  const read = parseSpec(spec)
  assert.ok(read.ok)
  return decide(jobOf('shop/backup', read.schedule), instant(period))
}

/** The parts of a status that every plan has. */
export function base(given: Observed, holding: Holding = {}, active: Observed['jobs'] = []): KronJobStatus {
  return {
    observedGeneration: 1,
    active: active.map(referenceTo),
    activeCount: active.length,
    window: 'after 0s',
    conditions: conditionsOf(given.kronJob, holding, given.now),
  }
}

export const next = (given: Observed, period: string): KronJobStatus => ({
  nextPeriodID: period,
  nextNominalTime: period,
  nextChosenTime: period,
  nextSeedHash: decisionAt(given, period).seedHash,
})

/** The announcement of a start at the period's own second. */
export const announced = (periodID: string): NonNullable<KronJobStatus['intent']> => ({
  periodID,
  jobName: jobNameOf('backup', periodID),
  at: periodID,
})

export const last = (
  given: Observed,
  period: string,
  lastOutcome: string,
  lastReason = '',
): KronJobStatus => ({
  lastPeriodID: period,
  lastNominalTime: period,
  lastChosenTime: period,
  lastOutcome,
  lastReason,
  lastSeedHash: decisionAt(given, period).seedHash,
})

export const createEffect = (given: Observed, period: string): Plan['effects'][number] => ({
  kind: 'create',
  job: jobManifest(given.kronJob, decisionAt(given, period)),
  chosen: instant(period),
})
