/** The Grafana dashboard for the operator's metrics. */
interface Query {
  readonly expr: string
  readonly legend: string
}

interface Panel {
  readonly title: string
  readonly unit: string
  readonly queries: readonly Query[]
}

const PANELS: readonly Panel[] = [
  {
    title: 'Outcomes per minute',
    unit: 'short',
    queries: [{ expr: 'sum by (outcome) (rate(kron_decisions_total[5m])) * 60', legend: '{{outcome}}' }],
  },
  {
    title: 'Start lateness',
    unit: 's',
    queries: [0.5, 0.99].map(quantile => ({
      expr: `histogram_quantile(${quantile}, sum by (le) (rate(kron_start_lateness_seconds_bucket[5m])))`,
      legend: `p${quantile * 100}`,
    })),
  },
  {
    title: 'Missed, skipped, unschedulable per hour',
    unit: 'short',
    queries: [
      { expr: 'sum by (reason) (increase(kron_missed_total[1h]))', legend: 'missed: {{reason}}' },
      { expr: 'sum(increase(kron_skipped_total[1h]))', legend: 'skipped' },
      { expr: 'sum(increase(kron_unschedulable_total[1h]))', legend: 'unschedulable' },
    ],
  },
  {
    title: 'Jobs that ended and Jobs that were refused, per hour',
    unit: 'short',
    queries: [
      { expr: 'sum by (result) (increase(kron_job_results_total[1h]))', legend: '{{result}}' },
      { expr: 'sum by (reason) (increase(kron_job_create_errors_total[1h]))', legend: 'refused: {{reason}}' },
    ],
  },
  {
    title: 'KronJobs that fail or are not ready',
    unit: 'short',
    queries: [
      {
        expr: 'kron_kronjob_consecutive_failures > 0',
        legend: '{{namespace}}/{{kron_job}} failures in a row',
      },
      { expr: 'count(kron_kronjob_ready == 0)', legend: 'not ready' },
      { expr: 'max(kron_kronjobs_blocked)', legend: 'blocked' },
    ],
  },
  {
    title: 'KronJobs and timers',
    unit: 'short',
    queries: [
      { expr: 'max(kron_kronjobs)', legend: 'KronJobs' },
      { expr: 'max(kron_timers)', legend: 'waiting for a chosen time' },
    ],
  },
  {
    title: 'Reconciliation',
    unit: 's',
    queries: [
      {
        expr: 'histogram_quantile(0.99, sum by (le) (rate(controller_runtime_reconcile_time_seconds_bucket[5m])))',
        legend: 'p99',
      },
    ],
  },
  {
    title: 'Errors and restarts of watches per minute',
    unit: 'short',
    queries: [
      { expr: 'sum(rate(controller_runtime_reconcile_errors_total[5m])) * 60', legend: 'reconcile errors' },
      {
        expr: 'sum by (resource, why) (rate(kron_watch_restarts_total[5m])) * 60',
        legend: '{{resource}}: {{why}}',
      },
    ],
  },
  {
    title: 'Requests to the API server per second',
    unit: 'reqps',
    queries: [
      { expr: 'sum by (method, code) (rate(rest_client_requests_total[5m]))', legend: '{{method}} {{code}}' },
    ],
  },
  {
    title: 'Leader and work queue',
    unit: 'short',
    queries: [
      { expr: 'leader_election_master_status', legend: '{{pod}} leads' },
      { expr: 'max(workqueue_depth)', legend: 'queue depth' },
    ],
  },
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
    targets: queries.map(({ expr, legend }, n) => ({
      refId: String.fromCharCode(65 + n),
      expr,
      legendFormat: legend,
    })),
  })),
})
