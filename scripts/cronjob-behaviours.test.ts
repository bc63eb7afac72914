import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

const root = join(import.meta.dirname, '..')
const read = (path: string): string => readFileSync(join(root, path), 'utf8')

/** The names of Kubernetes' end-to-end tests for CronJobs, in the order of its file test/e2e/apps/cronjob.go. */
const KUBERNETES = [
  'should schedule multiple jobs concurrently',
  'should not schedule jobs when suspended',
  'should not schedule new jobs when ForbidConcurrent',
  'should replace jobs when ReplaceConcurrent',
  'should be able to schedule after more than 100 missed schedule',
  'should not emit unexpected warnings',
  'should remove from active list jobs that have been deleted',
  'should delete successful finished jobs with limit of one successful job',
  'should delete failed finished jobs with limit of one job',
  'should support timezone',
  'should support CronJob API operations',
]

test('every behaviour that Kubernetes tests of a CronJob has a row in the guide', () => {
  const rows = [
    ...read('docs/guides/from-cronjob-to-kronjob.md').matchAll(/^\| (should [^|]+?) \| (.+) \|$/gm),
  ]
  assert.deepEqual(
    rows.map(row => row[1]),
    KUBERNETES,
  )
  for (const [, name, answer] of rows) assert.match(answer!, /^(yes|no)\b/, name!)
})

test('and a test on a real API server', () => {
  const source = read('packages/operator/e2e/cronjob-behaviours.cluster.ts')
  const titles = [...source.matchAll(/'(should [^':]+)[^']*'/g)].map(match => match[1])
  assert.deepEqual([...titles].sort(), [...KUBERNETES].sort())
})
