import {
  Counter,
  counterFamily,
  gaugeFamily,
  Histogram,
  histogramFamily,
  type MetricFamily,
  printFamily,
} from '@kron/runtime'
import { FAILURE_REASONS } from '../cluster/failure.ts'
import { type Counted, kronJobFamilies } from './kronjob-metrics.ts'

/** The operator's values at the time of a scrape. */
export interface Gauges {
  readonly kronJobs: Counted
  readonly waiting: number
  readonly queued: number
  readonly blocked: number
  readonly leading: boolean
  readonly lease: string
  readonly watches: Readonly<Record<string, boolean>>
}

const LATENESS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 3600]
const RECONCILE = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 10]

/** The reasons for trouble with a watch or the lease. The set is closed, so that every series exists from the start. */
export const TROUBLES = ['Expired', 'Stalled', 'Unreachable', 'Forbidden', 'Other'] as const
export type Trouble = (typeof TROUBLES)[number]
const RESOURCES = ['kronjobs', 'jobs', 'lease', 'events'] as const

/** The operator's metrics: the usual names for controllers, and Kron's own. */
export class Metrics {
  readonly decisions = startingAt0('outcome', ['executed', 'skipped', 'missed', 'unschedulable'])
  readonly jobsCreated = startingAt0()
  readonly createErrors = startingAt0('reason', FAILURE_REASONS)
  readonly results = startingAt0('result', ['succeeded', 'failed'])
  readonly skipped = startingAt0()
  readonly missed = startingAt0('reason', ['deadline', 'superseded', 'replace'])
  readonly unschedulable = startingAt0()
  readonly lateness = new Histogram(LATENESS)
  readonly reconciles = new Counter()
  readonly reconcileErrors = new Counter()
  readonly reconcileTime = new Histogram(RECONCILE)
  readonly requests = new Counter()
  readonly watchRestarts = new Counter()

  constructor() {
    // A series that exists from the start shows its first increase.
    for (const result of ['success', 'error']) this.reconciles.add({ controller: 'kronjob', result }, 0)
    this.reconcileErrors.add({ controller: 'kronjob' }, 0)
    for (const resource of RESOURCES) for (const why of TROUBLES) this.watchRestarts.add({ resource, why }, 0)
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']) {
      for (const code of ['0', method === 'POST' ? '201' : '200']) this.requests.add({ method, code }, 0)
    }
  }

  print(gauges: Gauges): string {
    return [...this.#families(gauges), ...kronJobFamilies(gauges.kronJobs)]
      .flatMap(family => [...printFamily(family)])
      .join('')
  }

  #families({ kronJobs, waiting, queued, blocked, leading, lease, watches }: Gauges): MetricFamily[] {
    return [
      counterFamily('kron_decisions_total', 'Periods that reached an outcome', this.decisions),
      // krond uses the same names for the same facts, so that one dashboard serves both.
      relabelled('kron_executions_total', 'Executions that ended, by how they ended', this.results),
      {
        ...counterFamily('kron_outcomes_total', 'Periods that ended without an execution', this.decisions),
        samples: [...this.decisions.samples()].filter(({ labels }) => labels['outcome'] !== 'executed'),
      },
      counterFamily('kron_jobs_created_total', 'Jobs created', this.jobsCreated),
      counterFamily('kron_job_create_errors_total', 'Jobs that could not be created', this.createErrors),
      counterFamily('kron_job_results_total', 'Jobs that ended', this.results),
      counterFamily('kron_skipped_total', 'Periods skipped because a Job was active', this.skipped),
      counterFamily('kron_missed_total', 'Periods missed', this.missed),
      counterFamily('kron_unschedulable_total', 'Periods without an allowed second', this.unschedulable),
      histogramFamily(
        'kron_start_lateness_seconds',
        'From the chosen time to the creation of the Job',
        this.lateness,
      ),
      gaugeFamily('kron_kronjobs', 'KronJobs known', kronJobs.count),
      gaugeFamily('kron_kronjobs_blocked', 'KronJobs whose Jobs are refused', blocked),
      gaugeFamily('kron_timers', 'KronJobs waiting for a chosen time', waiting),
      gaugeFamily(
        'kron_watch_up',
        'Whether the watch of a resource works',
        Object.entries(watches).map(([resource, up]) => ({ labels: { resource }, value: up ? 1 : 0 })),
      ),
      counterFamily('kron_watch_restarts_total', 'Watches that had to be restarted', this.watchRestarts),
      gaugeFamily('leader_election_master_status', 'Whether this replica leads', [
        { labels: { name: lease }, value: leading ? 1 : 0 },
      ]),
      gaugeFamily('workqueue_depth', 'Keys waiting for a worker', [
        { labels: { name: 'kronjob' }, value: queued },
      ]),
      counterFamily('controller_runtime_reconcile_total', 'Reconciliations', this.reconciles),
      counterFamily(
        'controller_runtime_reconcile_errors_total',
        'Reconciliations that failed',
        this.reconcileErrors,
      ),
      histogramFamily(
        'controller_runtime_reconcile_time_seconds',
        'How long one reconciliation took',
        this.reconcileTime,
      ),
      counterFamily('rest_client_requests_total', 'Requests to the API server', this.requests),
      gaugeFamily('process_resident_memory_bytes', 'Resident memory', process.memoryUsage.rss()),
    ]
  }
}

function startingAt0(label?: string, values: readonly string[] = []): Counter {
  const counter = new Counter()
  if (label === undefined) counter.add({}, 0)
  else for (const value of values) counter.add({ [label]: value }, 0)
  return counter
}

/** The counter with its label `result` renamed to `outcome`. */
function relabelled(name: string, help: string, results: Counter): MetricFamily {
  const samples = [...results.samples()].map(({ labels, ...sample }) => ({
    ...sample,
    labels: { outcome: labels['result'] ?? '' },
  }))
  return { ...counterFamily(name, help, results), samples }
}
