import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { Counter, printFamily } from '@kron/runtime'
import { parseMetrics } from '@kron/testkit/krond/http/parse-metrics'
import { WatchedMachine } from '@kron/testkit/krond/http/watched-machine'
import type { Event } from '../log/event.ts'
import { JobLabels, OTHER_JOBS } from './job-labels.ts'

const watched = new WatchedMachine('2026-03-01T10:00:30Z')

before(async () => {
  await watched.boot([
    '* * * * * @win(after,30s) name=often command=/bin/true',
    '* * * * * @only(hours=5) name=never command=/bin/true',
    '0 * * * * @policy(suspend=true) name=paused command=/bin/true',
  ])
  await watched.run(300)
})
after(() => watched.close())

const scrape = async () => parseMetrics((await watched.get('/metrics')).text)

test('the text is valid and counts what happened', async () => {
  const { value } = await scrape()
  assert.equal(value('kron_executions_total', { kron_job: '/jobs.kron:often', outcome: 'succeeded' }), 5)
  assert.equal(value('kron_outcomes_total', { kron_job: '/jobs.kron:never', outcome: 'unschedulable' }), 5)
  assert.equal(value('kron_start_lateness_seconds_count'), 5)
  assert.equal(value('kron_jobs'), 3)
  assert.equal(value('kron_suspended_jobs'), 1)
  assert.equal(value('kron_paused_jobs'), 0)
  assert.equal(value('kron_running'), 0)
  assert.equal(value('kron_queue_depth'), 0)
  const next = value('kron_next_start_timestamp_seconds', { kron_job: '/jobs.kron:often' })
  assert.ok(next! > watched.machine.clock.now() / 1_000)
})

test('the outbox is told: delivered, lost, failed tries, waiting notices and the age of the oldest', async () => {
  const { value } = await scrape()
  assert.equal(value('kron_notifications_total', { result: 'delivered' }), 3)
  assert.equal(value('kron_notifications_total', { result: 'lost' }), 1)
  assert.equal(value('kron_notification_failures_total'), 2)
  assert.equal(value('kron_notifications_waiting'), 4)
  assert.equal(value('kron_notification_oldest_seconds'), 50)
})

test('what has not happened yet is told as zero, so that its first time is seen as a rise', async () => {
  const { value } = await scrape()
  assert.equal(value('kron_failures_total', { kron_job: '/jobs.kron:paused' }), 0)
  assert.equal(value('kron_outcomes_total', { kron_job: '/jobs.kron:often', outcome: 'missed' }), 0)
  assert.equal(value('kron_errors_total', { error_type: 'PersistenceError' }), 0)
})

test('its type is what Prometheus asks for', async () => {
  const { headers } = await watched.get('/metrics')
  assert.equal(headers['content-type'], 'text/plain; version=0.0.4; charset=utf-8')
})

test('reloads, errors and failures are counted apart', async () => {
  const event = (fields: Partial<Event>): Event =>
    ({ level: 'warn', component: 'configuration', event: 'error', ...fields }) as Event
  watched.service.observe(event({ errorType: 'ConfigurationError' }))
  watched.service.observe(event({ errorType: 'ConfigurationError' }))
  watched.service.observe(event({ event: 'reload', errors: 2 }))
  const broken = await scrape()
  assert.equal(broken.value('kron_config_errors'), 2)
  assert.equal(broken.value('kron_reloads_total', { result: 'refused' }), 1)
  assert.equal(broken.value('kron_errors_total', { error_type: 'ConfigurationError' }), 2)
  watched.service.observe(event({ event: 'reload', added: 0 }))
  watched.service.observe(
    event({ event: 'finished', identity: '/jobs.kron:often', exitCode: 3, durationMs: 1_500 }),
  )
  const mended = await scrape()
  assert.equal(mended.value('kron_config_errors'), 0)
  assert.equal(mended.value('kron_reloads_total', { result: 'applied' }), 1)
  assert.equal(mended.value('kron_failures_total', { kron_job: '/jobs.kron:often' }), 1)
})

test('however many jobs there are, the number of series is bounded', async () => {
  const crowd = new WatchedMachine('2026-03-01T10:00:30Z')
  const cron = (i: number): string => (i < 1_500 ? '* * * * *' : '0 5 * * *')
  await crowd.boot(Array.from({ length: 10_000 }, (_, i) => `${cron(i)} name=job-${i} command=/bin/true`))
  try {
    await crowd.run(60)
    const { size, value, valuesOf } = parseMetrics((await crowd.get('/metrics')).text)
    assert.equal(valuesOf('kron_job').size, 1_001)
    assert.ok(valuesOf('kron_job').has(OTHER_JOBS))
    assert.ok(size < 7_200, `${size} series`)
    assert.equal(value('kron_jobs'), 10_000)
    assert.equal(value('kron_executions_total', { kron_job: OTHER_JOBS, outcome: 'succeeded' }), 500)
  } finally {
    await crowd.close()
  }
})

test('a job keeps its series for the life of the daemon', () => {
  const labels = new JobLabels(2)
  assert.deepEqual(
    ['a', 'b', 'c', 'a', 'c'].map(job => labels.of(job)),
    ['a', 'b', OTHER_JOBS, 'a', OTHER_JOBS],
  )
})

test('names with quotes, backslashes and line ends cannot break the text', () => {
  const counter = new Counter()
  counter.add({ job: 'a "quoted"\\\nname' }, 3)
  const text = [
    ...printFamily({ name: 'x_total', help: 'Two\nlines \\', type: 'counter', samples: counter.samples() }),
  ].join('')
  assert.equal(parseMetrics(text).value('x_total', { job: 'a "quoted"\\\nname' }), 3)
})

test('every query of the Grafana dashboard and of the rules asks for metrics and labels that exist', async () => {
  const { families, labelsOf } = await scrape()
  const dashboard = readFileSync(
    new URL('../../../../packaging/grafana/krond-dashboard.json', import.meta.url),
    'utf8',
  )
  const texts = [...dashboard.matchAll(/"(?:expr|query)": "((?:[^"\\]|\\.)*)"/g)].map(match => match[1]!)
  const queries = texts.map(text => JSON.parse(`"${text}"`) as string).filter(text => text !== 'prometheus')
  const rules = readFileSync(
    new URL('../../../../packaging/prometheus/krond-rules.yaml', import.meta.url),
    'utf8',
  )
  // Names with a colon belong to recording rules.
  for (const [, expr] of rules.matchAll(/expr: (?:\|\n)?([^\n]+)/g))
    if (!expr!.includes(':')) queries.push(expr!)
  assert.ok(queries.length >= 16)
  for (const query of queries) {
    const names = [...query.matchAll(/\b(?:kron|process)_[a-z_]+/g)]
      .map(([name]) => name)
      .filter(name => name !== 'kron_job')
    assert.ok(names.length > 0, query)
    for (const name of names) {
      const family = name.replace(/_(bucket|sum|count)$/, '')
      assert.ok(families.has(name) || families.has(family), `${query}: there is no ${name}`)
      for (const [, label] of query.matchAll(/by \(([a-z_, ]+)\)/g))
        for (const each of label!.split(/\s*,\s*/))
          assert.ok(
            labelsOf(family).has(each) || each === 'instance',
            `${query}: ${family} has no label ${each}`,
          )
    }
  }
})
