import { Counter, register as defaultRegister, Gauge, Histogram, type Registry } from 'prom-client'
import { type Scheduler, type SchedulerEvent, subscribe, tasksOf } from '../index.ts'

export interface MetricsOptions {
  /** The registry of the metrics. The default is prom-client's global registry. */
  readonly registry?: Registry
  /** The prefix of the metric names. The default is `kron_`. */
  readonly prefix?: string
  /** The value of the label `scheduler`, which tells schedulers apart. The default is `default`. */
  readonly name?: string
}

/**
 * Counts and measures a scheduler's runs for Prometheus. Call it before `initialize`. The returned function ends the
 * measurement. Several schedulers may share a registry if each has its own `name`.
 */
export function collectMetrics(scheduler: Scheduler, options: MetricsOptions = {}): () => void {
  const { registry = defaultRegister, prefix = 'kron_', name = 'default' } = options
  const registers = [registry]
  const known = <T>(metric: string): T | undefined =>
    registry.getSingleMetric(prefix + metric) as T | undefined
  const labelNames = ['scheduler', 'task'] as const
  const runs =
    known<Counter<'scheduler' | 'task' | 'outcome'>>('task_runs_total') ??
    new Counter({
      name: `${prefix}task_runs_total`,
      help: 'Runs that have ended, by outcome.',
      labelNames: [...labelNames, 'outcome'] as const,
      registers,
    })
  const seconds =
    known<Histogram<'scheduler' | 'task'>>('task_run_seconds') ??
    new Histogram({
      name: `${prefix}task_run_seconds`,
      help: 'How long runs took.',
      labelNames,
      buckets: [0.01, 0.1, 1, 10, 60, 600, 3600],
      registers,
    })
  const late =
    known<Counter<'scheduler' | 'task'>>('task_late_starts_total') ??
    new Counter({
      name: `${prefix}task_late_starts_total`,
      help: 'Starts more than a minute late.',
      labelNames,
      registers,
    })
  const errors =
    known<Counter<'scheduler' | 'operation'>>('scheduler_errors_total') ??
    new Counter({
      name: `${prefix}scheduler_errors_total`,
      help: 'Failures of the store or the clock.',
      labelNames: ['scheduler', 'operation'] as const,
      registers,
    })
  const running =
    known<Gauge<'scheduler'>>('tasks_running') ??
    new Gauge({
      name: `${prefix}tasks_running`,
      help: 'Callbacks at work.',
      labelNames: ['scheduler'] as const,
      registers,
    })
  const startedAt = new Map<string, number>()
  const onEnd = (task: string, outcome: 'success' | 'failure', endedAt: number) => {
    runs.inc({ scheduler: name, task, outcome })
    const started = startedAt.get(task)
    startedAt.delete(task)
    if (started !== undefined)
      seconds.observe({ scheduler: name, task }, Math.max(0, endedAt - started) / 1000)
  }
  const hear = (event: SchedulerEvent) => {
    if (event.type === 'TaskRunStarted' || event.type === 'TaskRetryStarted')
      startedAt.set(event.taskName, event.at)
    else if (event.type === 'TaskRunCompleted') onEnd(event.taskName, 'success', event.endedAt)
    else if (event.type === 'TaskRunFailed') onEnd(event.taskName, 'failure', event.endedAt)
    else if (event.type === 'TaskStartedLate') late.inc({ scheduler: name, task: event.taskName })
    else if (event.type === 'error') errors.inc({ scheduler: name, operation: event.operation })
    running.set({ scheduler: name }, startedAt.size)
  }
  running.set({ scheduler: name }, tasksOf(scheduler).filter(task => task.state === 'Running').length)
  return subscribe(scheduler, hear)
}
