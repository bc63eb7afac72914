/** The Grafana dashboard for the operator's metrics. */
interface Panel {
  readonly title: string
  readonly unit: string
  /** The expressions by their legends. */
  readonly queries: Readonly<Record<string, string>>
}

const panel = (title: string, queries: Panel['queries'], unit = 'short'): Panel => ({ title, unit, queries })

const lateness = (quantile: number): string =>
  `histogram_quantile(${quantile}, sum by (le) (rate(kron_start_lateness_seconds_bucket[5m])))`

const PANELS: readonly Panel[] = [
  panel('Outcomes per minute', {
    '{{outcome}}': 'sum by (outcome) (rate(kron_decisions_total[5m])) * 60',
  }),
  panel('Start lateness', { p50: lateness(0.5), p99: lateness(0.99) }, 's'),
  panel('Missed, skipped, unschedulable per hour', {
    'missed: {{reason}}': 'sum by (reason) (increase(kron_missed_total[1h]))',
    skipped: 'sum(increase(kron_skipped_total[1h]))',
    unschedulable: 'sum(increase(kron_unschedulable_total[1h]))',
  }),
  panel('Jobs that ended and Jobs that were refused, per hour', {
    '{{result}}': 'sum by (result) (increase(kron_job_results_total[1h]))',
    'refused: {{reason}}': 'sum by (reason) (increase(kron_job_create_errors_total[1h]))',
  }),
  panel('KronJobs that fail or are not ready', {
    '{{namespace}}/{{kron_job}} failures in a row': 'kron_kronjob_consecutive_failures > 0',
    'not ready': 'count(kron_kronjob_ready == 0)',
    blocked: 'max(kron_kronjobs_blocked)',
  }),
  panel('KronJobs and timers', {
    KronJobs: 'max(kron_kronjobs)',
    'waiting for a chosen time': 'max(kron_timers)',
  }),
  panel(
    'Reconciliation',
    {
      p99: 'histogram_quantile(0.99, sum by (le) (rate(controller_runtime_reconcile_time_seconds_bucket[5m])))',
    },
    's',
  ),
  panel('Errors and restarts of watches per minute', {
    'reconcile errors': 'sum(rate(controller_runtime_reconcile_errors_total[5m])) * 60',
    '{{resource}}: {{why}}': 'sum by (resource, why) (rate(kron_watch_restarts_total[5m])) * 60',
  }),
  panel(
    'Requests to the API server per second',
    { '{{method}} {{code}}': 'sum by (method, code) (rate(rest_client_requests_total[5m]))' },
    'reqps',
  ),
  panel('Leader and work queue', {
    '{{pod}} leads': 'leader_election_master_status',
    'queue depth': 'max(workqueue_depth)',
  }),
]

const WIDTH = 12
const HEIGHT = 8

export const dashboard = () => ({
  title: 'Kron operator',
  uid: 'kron-operator',
  tags: ['kron'],
  schemaVersion: 39,
  time: { from: 'now-6h', to: 'now' },
  refresh: '30s',
  templating: { list: [{ name: 'datasource', type: 'datasource', query: 'prometheus' }] },
  panels: PANELS.map(({ title, unit, queries }, i) => ({
    id: i + 1,
    type: 'timeseries',
    title,
    datasource: { type: 'prometheus', uid: '$datasource' },
    gridPos: { x: (i % 2) * WIDTH, y: Math.floor(i / 2) * HEIGHT, w: WIDTH, h: HEIGHT },
    fieldConfig: { defaults: { unit }, overrides: [] },
    targets: Object.entries(queries).map(([legend, expr], n) => ({
      refId: String.fromCharCode(65 + n),
      expr,
      legendFormat: legend,
    })),
  })),
})
