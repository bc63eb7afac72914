import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

/** The operator's metrics: the usual names of controllers, and Kron's own. */
export function createMetrics() {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: 100 })
  const counter = <L extends string>(name: string, help: string, labelNames: readonly L[] = []) =>
    new Counter({ name, help, labelNames, registers })
  const gauge = <L extends string>(name: string, help: string, labelNames: readonly L[] = []) =>
    new Gauge({ name, help, labelNames, registers })
  const histogram = (name: string, help: string, buckets: number[]) =>
    new Histogram({ name, help, buckets, registers })
  return {
    registry,
    decisions: counter('kron_decisions_total', 'Periods that reached an outcome', ['outcome']),
    jobsCreated: counter('kron_jobs_created_total', 'Jobs created'),
    skipped: counter('kron_skipped_total', 'Periods skipped because a Job was active'),
    missed: counter('kron_missed_total', 'Periods missed', ['reason']),
    unschedulable: counter('kron_unschedulable_total', 'Periods without an allowed second'),
    lateness: histogram(
      'kron_start_lateness_seconds',
      'How long after its chosen time a Job was created',
      [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 3600],
    ),
    kronJobs: gauge('kron_kronjobs', 'KronJobs known'),
    waiting: gauge('kron_timers', 'KronJobs waiting for a chosen time'),
    leader: gauge('leader_election_master_status', 'Whether this replica leads', ['name']),
    queueDepth: gauge('workqueue_depth', 'Keys waiting for a worker', ['name']),
    reconcileTime: histogram(
      'controller_runtime_reconcile_time_seconds',
      'How long one reconciliation took',
      [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 10],
    ),
    reconciles: counter('controller_runtime_reconcile_total', 'Reconciliations', ['controller', 'result']),
    reconcileErrors: counter('controller_runtime_reconcile_errors_total', 'Reconciliations that failed', [
      'controller',
    ]),
    requests: counter('rest_client_requests_total', 'Requests to the API server', ['method', 'code']),
    relists: counter('kron_watch_restarts_total', 'Watches that had to be restarted', ['resource', 'why']),
  }
}

export type Metrics = ReturnType<typeof createMetrics>
