import { parseInstant } from '@kron/core'
import { gaugeFamily, type MetricFamily, type Sample } from '@kron/runtime'
import type { KronJob } from '../manifest/kronjob.ts'

/** The largest number of KronJobs with their own series. Use kube-state-metrics for more. */
export const MOST_REPORTED = 1_000

/** The number of KronJobs, and the first of them. */
export interface Counted {
  readonly count: number
  readonly first: readonly KronJob[]
}

type Read = (kronJob: KronJob) => number | undefined

const timeOf = (text: string | undefined): number | undefined => {
  const read = parseInstant(text ?? '')
  return read.ok ? read.value : undefined
}

const READERS: readonly [name: string, help: string, read: Read][] = [
  [
    'kron_kronjob_last_success_timestamp_seconds',
    'When a Job of the KronJob last succeeded',
    ({ status }) => timeOf(status?.lastSuccessfulTime),
  ],
  [
    'kron_kronjob_last_failure_timestamp_seconds',
    'When a Job of the KronJob last failed',
    ({ status }) => timeOf(status?.lastFailureTime),
  ],
  [
    'kron_kronjob_next_start_timestamp_seconds',
    'When the KronJob starts next',
    ({ status }) => timeOf(status?.nextChosenTime),
  ],
  [
    'kron_kronjob_consecutive_failures',
    'Jobs that failed since the last success',
    ({ status }) => status?.consecutiveFailures ?? 0,
  ],
  ['kron_kronjob_active', 'Jobs that have not finished', ({ status }) => status?.activeCount ?? 0],
  [
    'kron_kronjob_ready',
    'Whether the KronJob is ready',
    ({ status }) =>
      status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') ? 1 : 0,
  ],
]

/** Gauges per KronJob. The label is `kron_job`, because Prometheus reserves `job` for the scrape. */
export function kronJobFamilies({ count, first }: Counted): MetricFamily[] {
  const reported = first.slice(0, MOST_REPORTED)
  const families = READERS.map(([name, help, read]): MetricFamily => {
    const samples = reported.flatMap((kronJob): Sample[] => {
      const value = read(kronJob)
      const { namespace, name: own } = kronJob.metadata
      return value === undefined ? [] : [{ labels: { namespace, kron_job: own }, value }]
    })
    return gaugeFamily(name, help, samples)
  })
  const left = count - reported.length
  const help = `KronJobs beyond the ${MOST_REPORTED} that have series of their own`
  return [...families, gaugeFamily('kron_kronjobs_unreported', help, left)]
}
