import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseSchedule } from '@kron/core'
import { kronJobOf } from './cron-job.ts'

const scheduleOf = (schedule: string): string =>
  kronJobOf({ spec: { schedule, timeZone: 'UTC' } }).manifest.spec.schedule

test('what Kubernetes writes otherwise is rewritten: ? and n/s', () => {
  assert.equal(scheduleOf('0 12 ? * 1'), '0 12 * * 1')
  assert.equal(scheduleOf('5/15 2/6 1/2 3/3 1/2'), '5-59/15 2-23/6 1-31/2 3-12/3 1-6/2')
  assert.equal(scheduleOf('0,5/20 * * * *'), '0,5-59/20 * * * *')
  assert.equal(scheduleOf('@daily'), '@daily')
  for (const text of ['0 12 ? * 1', '5/15 2/6 1/2 3/3 1/2']) assert.ok(parseSchedule(scheduleOf(text)).ok)
})

test('everything a CronJob says is carried over', () => {
  const jobTemplate = { spec: { backoffLimit: 2 } }
  const { manifest, remarks } = kronJobOf({
    metadata: { name: 'a', namespace: 'b', labels: { app: 'x' }, annotations: { team: 'y' } },
    spec: {
      schedule: 'TZ=Asia/Tokyo 0 9 * * *',
      concurrencyPolicy: 'Replace',
      startingDeadlineSeconds: 90,
      suspend: true,
      successfulJobsHistoryLimit: 0,
      failedJobsHistoryLimit: 7,
      jobTemplate,
    },
  })
  assert.deepEqual(remarks, [])
  assert.deepEqual(manifest, {
    apiVersion: 'kron.io/v1alpha1',
    kind: 'KronJob',
    metadata: { name: 'a', namespace: 'b', labels: { app: 'x' }, annotations: { team: 'y' } },
    spec: {
      schedule: '0 9 * * *',
      timezone: 'Asia/Tokyo',
      policy: { concurrency: 'replace', deadline: '90s', suspend: true },
      history: { successful: 0, failed: 7 },
      jobTemplate,
    },
  })
})

test('what it leaves to the controller is said', () => {
  const { manifest, remarks } = kronJobOf({ metadata: { name: 'a' }, spec: { schedule: '@every 5m' } })
  assert.deepEqual(
    remarks.map(remark => remark.split(/[ :]/, 2).join(' ')),
    ['no timeZone', '@every counts', 'no startingDeadlineSeconds'],
  )
  assert.deepEqual(manifest.spec.policy, { concurrency: 'allow', deadline: '744h' })
})

test('what kubectl noted for itself is not carried over', () => {
  const annotations = { 'kubectl.kubernetes.io/last-applied-configuration': '{}' }
  assert.deepEqual(kronJobOf({ metadata: { name: 'a', annotations } }).manifest.metadata, { name: 'a' })
})
