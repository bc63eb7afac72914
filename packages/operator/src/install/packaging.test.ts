import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { kronJob } from '@kron/testkit/operator/plan/fixtures'
import { parse, parseAllDocuments } from 'yaml'
import { GROUP } from '../manifest/kronjob.ts'
import { KRON_JOB_SCHEMA } from '../manifest/schema.ts'
import { Metrics } from '../report/metrics.ts'
import { IMAGE, installation } from './manifests.ts'
import { packagingFiles } from './packaging.ts'
import { WORK_RULES } from './roles.ts'

const directory = join(import.meta.dirname, '../../../../packaging/kubernetes')
const generated = packagingFiles()

test('the committed manifests, alerts and dashboard are what the generator makes', () => {
  for (const [path, text] of Object.entries(generated)) {
    const committed = readFileSync(join(directory, path), 'utf8')
    assert.ok(committed === text, `${path} is stale: run scripts/manifests.ts`)
  }
})

test('every metric that alerts and dashboard ask for is there when the operator starts', () => {
  const gauges = {
    waiting: 0,
    queued: 0,
    blocked: 0,
    leading: true,
    lease: 'kron-operator',
    watches: { jobs: true },
  }
  const one = kronJob({}, { consecutiveFailures: 0 })
  const printed = new Metrics().print({ ...gauges, kronJobs: { count: 1, first: [one] } })
  const exposed = new Set(printed.split('\n').flatMap(line => /^[a-z_]+/.exec(line)?.[0] ?? []))
  const asked = `${generated['helm/kron-operator/files/alerts.yaml']}${generated['grafana/kron-operator.json']}`
  const names = new Set(
    asked.match(/\b(kron|leader_election|workqueue|controller_runtime|rest_client)_[a-z_]+/g),
  )
  names.delete('kron_job')
  assert.ok(names.size > 10)
  assert.deepEqual(
    [...names].filter(name => !exposed.has(name)),
    [],
  )
})

test("no metric has the label job, which is Prometheus' own", () => {
  const gauges = { waiting: 0, queued: 0, blocked: 0, leading: true, lease: 'kron-operator', watches: {} }
  assert.doesNotMatch(
    new Metrics().print({ ...gauges, kronJobs: { count: 1, first: [kronJob({}, {})] } }),
    /[{,]job="/,
  )
})

test('every path of the kube-state-metrics configuration is in the CRD', () => {
  const text = readFileSync(join(directory, 'kube-state-metrics/kronjob.yaml'), 'utf8')
  const paths = [...text.matchAll(/(?:path|schedule|timezone|concurrency): \[([^\]]+)\]/g)].map(match =>
    match[1]!.split(', '),
  )
  assert.ok(paths.length >= 8)
  for (const path of paths) {
    let schema: Record<string, unknown> | undefined = KRON_JOB_SCHEMA
    for (const key of path)
      schema = (schema?.['properties'] as Record<string, Record<string, unknown>> | undefined)?.[key]
    assert.ok(schema !== undefined, path.join('.'))
  }
})

test("the chart's roles are the operator's", () => {
  const helpers = readFileSync(join(directory, 'helm/kron-operator/templates/_helpers.tpl'), 'utf8')
  const rules = /define "kron\.workRules" -}}\n([\s\S]*?){{- end/.exec(helpers)![1]!
  assert.deepEqual(parse(rules), WORK_RULES)
})

test('the API group is written down once', () => {
  const sources = readdirSync(join(import.meta.dirname, '..'), { recursive: true, withFileTypes: true })
    .filter(each => each.isFile() && each.name.endsWith('.ts') && !each.name.includes('.test'))
    .map(each => join(each.parentPath, each.name))
  const naming = sources.filter(path => readFileSync(path, 'utf8').includes(GROUP))
  assert.deepEqual(
    naming.map(path => path.split('/').at(-1)),
    ['kronjob.ts'],
  )
})

test('kustomize and kronctl install hold the same objects', () => {
  const plain = Object.entries(generated)
    .filter(([path]) => path.startsWith('kustomize/base/') && !path.endsWith('kustomization.yaml'))
    .flatMap(([, text]) => parseAllDocuments(text).map(each => each.toJS() as object))
  const printed = installation({ namespace: 'kron-system', image: IMAGE })
  const sorted = (objects: readonly object[]): string[] => objects.map(each => JSON.stringify(each)).sort()
  assert.deepEqual(sorted(plain), sorted(printed))
})
