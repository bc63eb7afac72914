import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Span, Tracer } from '@opentelemetry/api'
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics'
import { makeScheduler, memoryStore, virtualClock } from '../index.ts'
import { instrument } from './index.ts'

/** A tracer that records spans by name. */
function spyTracer() {
  const ended: { name: string; ms: number; failed: boolean }[] = []
  const startSpan = (name: string, options: { startTime: number }) => {
    let failed = false
    return {
      recordException: () => {
        failed = true
      },
      setStatus() {},
      end: (at: number) => ended.push({ name, ms: at - options.startTime, failed }),
    } as unknown as Span
  }
  return { ended, tracer: { startSpan } as unknown as Tracer }
}

test('runs are spans and metrics of the real SDK', async () => {
  const exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE)
  const reader = new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 60_000 })
  const provider = new MeterProvider({ readers: [reader] })
  const { ended, tracer } = spyTracer()
  const clock = virtualClock('2026-06-10T12:00:00Z')
  const scheduler = makeScheduler({
    store: memoryStore(),
    clock,
    logger: { debug() {}, info() {}, warn() {}, error() {} },
  })
  const end = instrument(scheduler, { meter: provider.getMeter('test'), tracer, name: 'shop' })
  await scheduler.initialize([
    ['slow', '0 12 * * *', () => new Promise<void>(resolve => clock.setTimer(2_000, resolve)), 0],
    ['broken', '0 12 * * *', () => Promise.reject(new Error('no')), 3_600_000],
  ])
  await clock.run(5_000)
  await scheduler.stop()
  end()
  await provider.forceFlush()
  const [{ scopeMetrics } = { scopeMetrics: [] }] = exporter.getMetrics()
  const points = scopeMetrics
    .flatMap(scope => scope.metrics)
    .find(metric => metric.descriptor.name === 'kron.task.runs')?.dataPoints
  const outcomes = points
    ?.map(({ attributes, value }) => [attributes['kron.task'], attributes['kron.outcome'], value])
    .sort()
  assert.deepEqual(outcomes, [
    ['broken', 'failure', 1],
    ['slow', 'success', 1],
  ])
  assert.deepEqual(
    ended.sort((one, other) => (one.name < other.name ? -1 : 1)),
    [
      { name: 'kron broken', ms: 0, failed: true },
      { name: 'kron slow', ms: 2_000, failed: false },
    ],
  )
  await provider.shutdown()
})
