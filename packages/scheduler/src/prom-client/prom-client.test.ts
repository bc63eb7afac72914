import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Registry } from 'prom-client'
import { makeScheduler, memoryStore, virtualClock } from '../index.ts'
import { collectMetrics } from './index.ts'

test('runs, failures and their times are what Prometheus scrapes', async () => {
  const registry = new Registry()
  const clock = virtualClock('2026-06-10T12:00:00Z')
  const logger = { debug() {}, info() {}, warn() {}, error() {} }
  const schedulers = ['one', 'two'].map(name => {
    const scheduler = makeScheduler({ store: memoryStore(), clock, logger })
    return { scheduler, end: collectMetrics(scheduler, { registry, name }) }
  })
  for (const { scheduler } of schedulers)
    await scheduler.initialize([
      ['fine', '* * * * *', async () => {}, 0],
      ['broken', '* * * * *', () => Promise.reject(new Error('no')), 600_000],
    ])
  await clock.run(61_000)
  for (const { scheduler, end } of schedulers) {
    await scheduler.stop()
    end()
  }
  const text = await registry.metrics()
  for (const name of ['one', 'two']) {
    assert.match(
      text,
      new RegExp(`kron_task_runs_total\\{scheduler="${name}",task="fine",outcome="success"\\} 2`),
    )
    assert.match(
      text,
      new RegExp(`kron_task_runs_total\\{scheduler="${name}",task="broken",outcome="failure"\\} 2`),
    )
    assert.match(text, new RegExp(`kron_tasks_running\\{scheduler="${name}"\\} 0`))
  }
  assert.match(text, /kron_task_run_seconds_count\{scheduler="one",task="fine"\} 2/)
})
