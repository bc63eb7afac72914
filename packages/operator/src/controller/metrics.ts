import { Counter, Histogram, type Labels, type MetricFamily, printFamily } from '@kron/runtime'

/** What is read off the operator when it is asked for. */
export interface Gauges {
  readonly kronJobs: number
  readonly waiting: number
  readonly queued: number
  readonly leading: boolean
  readonly lease: string
}

const LATENESS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 3600]
const RECONCILE = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 10]

/** The operator's metrics: the usual names of controllers, and Kron's own. */
export class Metrics {
  readonly decisions = new Counter()
  readonly jobsCreated = new Counter()
  readonly skipped = new Counter()
  readonly missed = new Counter()
  readonly unschedulable = new Counter()
  readonly lateness = new Histogram(LATENESS)
  readonly reconciles = new Counter()
  readonly reconcileErrors = new Counter()
  readonly reconcileTime = new Histogram(RECONCILE)
  readonly requests = new Counter()
  readonly watchRestarts = new Counter()

  constructor() {
    // A series that is there from the start can be watched for its first increase.
    for (const counter of [this.jobsCreated, this.skipped, this.unschedulable]) counter.add({}, 0)
  }

  print(gauges: Gauges): string {
    return this.#families(gauges)
      .flatMap(family => [...printFamily(family)])
      .join('')
  }

  #families({ kronJobs, waiting, queued, leading, lease }: Gauges): MetricFamily[] {
    const counter = (name: string, help: string, of: Counter): MetricFamily => {
      return { name, help, type: 'counter', samples: of.samples() }
    }
    const histogram = (name: string, help: string, of: Histogram): MetricFamily => {
      return { name, help, type: 'histogram', samples: of.samples() }
    }
    const gauge = (name: string, help: string, value: number, labels: Labels = {}): MetricFamily => {
      return { name, help, type: 'gauge', samples: [{ labels, value }] }
    }
    return [
      counter('kron_decisions_total', 'Periods that reached an outcome', this.decisions),
      counter('kron_jobs_created_total', 'Jobs created', this.jobsCreated),
      counter('kron_skipped_total', 'Periods skipped because a Job was active', this.skipped),
      counter('kron_missed_total', 'Periods missed', this.missed),
      counter('kron_unschedulable_total', 'Periods without an allowed second', this.unschedulable),
      histogram(
        'kron_start_lateness_seconds',
        'From the chosen time to the creation of the Job',
        this.lateness,
      ),
      gauge('kron_kronjobs', 'KronJobs known', kronJobs),
      gauge('kron_timers', 'KronJobs waiting for a chosen time', waiting),
      counter('kron_watch_restarts_total', 'Watches that had to be restarted', this.watchRestarts),
      gauge('leader_election_master_status', 'Whether this replica leads', leading ? 1 : 0, { name: lease }),
      gauge('workqueue_depth', 'Keys waiting for a worker', queued, { name: 'kronjob' }),
      counter('controller_runtime_reconcile_total', 'Reconciliations', this.reconciles),
      counter(
        'controller_runtime_reconcile_errors_total',
        'Reconciliations that failed',
        this.reconcileErrors,
      ),
      histogram(
        'controller_runtime_reconcile_time_seconds',
        'How long one reconciliation took',
        this.reconcileTime,
      ),
      counter('rest_client_requests_total', 'Requests to the API server', this.requests),
      gauge('process_resident_memory_bytes', 'Resident memory', process.memoryUsage.rss()),
    ]
  }
}
