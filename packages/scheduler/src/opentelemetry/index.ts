import { type Meter, metrics, type Span, SpanStatusCode, type Tracer, trace } from '@opentelemetry/api'
import { type Scheduler, type SchedulerEvent, subscribe } from '../index.ts'

export interface TelemetryOptions {
  /** The default is the global provider's meter. */
  readonly meter?: Meter
  /** The default is the global provider's tracer. */
  readonly tracer?: Tracer
  /** The value of the attribute `kron.scheduler`, which tells schedulers apart. The default is `default`. */
  readonly name?: string
}

const SCOPE = '@kron/scheduler'

/**
 * Measures a scheduler's runs with OpenTelemetry: one span per run, and metrics. Call it before `initialize`. The
 * returned function ends the measurement. A span begins when the start is stored and ends when the end is stored, so it
 * is not the parent of spans that the callback creates.
 */
export function instrument(scheduler: Scheduler, options: TelemetryOptions = {}): () => void {
  const { meter = metrics.getMeter(SCOPE), tracer = trace.getTracer(SCOPE), name = 'default' } = options
  const runs = meter.createCounter('kron.task.runs', { description: 'Runs that have ended, by outcome.' })
  const duration = meter.createHistogram('kron.task.run.duration', {
    description: 'How long runs took.',
    unit: 's',
  })
  const late = meter.createCounter('kron.task.late_starts', {
    description: 'Starts more than a minute late.',
  })
  const errors = meter.createCounter('kron.scheduler.errors', {
    description: 'Failures of the store or the clock.',
  })
  const spans = new Map<string, { readonly span: Span; readonly startedAt: number }>()
  const attributesOf = (task: string) => ({ 'kron.scheduler': name, 'kron.task': task })

  const start = (task: string, cause: string, at: number) => {
    const attributes = { ...attributesOf(task), 'kron.cause': cause }
    spans.set(task, { span: tracer.startSpan(`kron ${task}`, { startTime: at, attributes }), startedAt: at })
  }
  const end = (task: string, endedAt: number, error?: unknown) => {
    const outcome = error === undefined ? 'success' : 'failure'
    runs.add(1, { ...attributesOf(task), 'kron.outcome': outcome })
    const { span, startedAt } = spans.get(task) ?? {}
    spans.delete(task)
    if (span === undefined || startedAt === undefined) return
    duration.record(Math.max(0, endedAt - startedAt) / 1000, attributesOf(task))
    if (error !== undefined) {
      span.recordException(error as Error)
      span.setStatus({ code: SpanStatusCode.ERROR })
    }
    span.end(endedAt)
  }
  const hear = (event: SchedulerEvent) => {
    if (event.type === 'TaskRunStarted') start(event.taskName, event.cause, event.at)
    else if (event.type === 'TaskRetryStarted') start(event.taskName, 'retry', event.at)
    else if (event.type === 'TaskRunCompleted') end(event.taskName, event.endedAt)
    else if (event.type === 'TaskRunFailed')
      end(event.taskName, event.endedAt, event.error ?? new Error('failed'))
    else if (event.type === 'TaskStartedLate') late.add(1, attributesOf(event.taskName))
    else if (event.type === 'error')
      errors.add(1, { 'kron.scheduler': name, 'kron.operation': event.operation })
  }
  return subscribe(scheduler, hear)
}
