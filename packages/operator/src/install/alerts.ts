interface Alert {
  readonly alert: string
  readonly expr: string
  readonly for: string
  readonly severity: 'warning' | 'critical'
  readonly summary: string
}

/** The alerts for people to look at. The series of each expression exist from the start. */
const ALERTS: readonly Alert[] = [
  {
    alert: 'KronOperatorDown',
    expr: 'absent(leader_election_master_status{name=~".*kron.*"} == 1)',
    for: '2m',
    severity: 'critical',
    summary: 'No replica of the Kron operator leads: no Job is started.',
  },
  {
    alert: 'KronWatchDown',
    expr: 'min by (resource, pod) (kron_watch_up) == 0',
    for: '5m',
    severity: 'warning',
    summary: 'A replica of the Kron operator does not see {{ $labels.resource }}.',
  },
  {
    alert: 'KronJobsRefused',
    expr: 'sum by (reason) (increase(kron_job_create_errors_total[15m])) > 0 and on () max(kron_kronjobs_blocked) > 0',
    for: '15m',
    severity: 'warning',
    summary: 'The API server refuses Jobs of KronJobs: {{ $labels.reason }}.',
  },
  {
    alert: 'KronPeriodsMissed',
    expr: 'sum by (reason) (increase(kron_missed_total{reason!="superseded"}[1h])) > 0',
    for: '0m',
    severity: 'warning',
    summary: '{{ $value | printf "%.0f" }} periods were missed in the last hour ({{ $labels.reason }}).',
  },
  {
    alert: 'KronStartsLate',
    expr: 'histogram_quantile(0.99, sum by (le) (rate(kron_start_lateness_seconds_bucket[10m]))) > 5',
    for: '10m',
    severity: 'warning',
    summary: 'One in a hundred Jobs starts more than 5 s after its chosen time.',
  },
  {
    alert: 'KronJobNotReady',
    expr: 'kron_kronjob_ready == 0',
    for: '15m',
    severity: 'warning',
    summary: 'The KronJob {{ $labels.namespace }}/{{ $labels.kron_job }} is not ready.',
  },
  {
    alert: 'KronJobFailing',
    expr: 'kron_kronjob_consecutive_failures >= 3',
    for: '0m',
    severity: 'warning',
    summary: 'The last {{ $value }} Jobs of {{ $labels.namespace }}/{{ $labels.kron_job }} failed.',
  },
]

/** The groups of a PrometheusRule. */
export const alertGroups = () => ({
  groups: [
    {
      name: 'kron-operator',
      rules: ALERTS.map(({ alert, expr, for: pending, severity, summary }) => ({
        alert,
        expr,
        for: pending,
        labels: { severity },
        annotations: { summary },
      })),
    },
  ],
})
