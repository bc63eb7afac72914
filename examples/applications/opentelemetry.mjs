// Runs as metrics of OpenTelemetry, printed every second. `npm install @opentelemetry/api @opentelemetry/sdk-metrics @kron/scheduler`.
import { makeScheduler, memoryStore, runNow } from '@kron/scheduler'
import { instrument } from '@kron/scheduler/opentelemetry'
import {
  ConsoleMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics'

const reader = new PeriodicExportingMetricReader({
  exporter: new ConsoleMetricExporter(),
  exportIntervalMillis: 1_000,
})
const provider = new MeterProvider({ readers: [reader] })

const scheduler = makeScheduler({ store: memoryStore() })
instrument(scheduler, { meter: provider.getMeter('shop'), name: 'shop' })
await scheduler.initialize([['sessions', '0 3 * * *', async () => {}, '5m']])
await runNow(scheduler, 'sessions')

process.once('SIGTERM', async () => {
  await scheduler.stop()
  await provider.shutdown()
  console.log('stopped')
})
