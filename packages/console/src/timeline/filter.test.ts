import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JobRecord } from '../api/records.ts'
import { filterJobs, type Shown } from './filter.ts'

const make = (name: string, rest: Partial<JobRecord> = {}): JobRecord => ({
  identity: `/etc/krond.d/host.kron:${name}`,
  name,
  schedule: '0 2 * * *',
  timezone: 'UTC',
  description: '',
  suspended: false,
  nextTime: null,
  running: 0,
  last: null,
  ...rest,
})
const JOBS = [
  make('backup', { description: 'Saves the Database' }),
  make('vacuum', { last: { outcome: 'executed', failed: true, at: '2026-03-01T00:00:00Z' } }),
  make('report', { suspended: true }),
  make('late', { last: { outcome: 'missed', failed: false, at: '2026-03-01T00:00:00Z' } }),
]
const facts = { running: new Set(['/etc/krond.d/host.kron:backup']), lastOf: (job: JobRecord) => job.last }
const names = (query: string, shown: Shown): string[] =>
  filterJobs(JOBS, query, shown, facts).map(job => job.name)

test('every word must occur somewhere, in any case', () => {
  assert.deepEqual(names('', 'all'), ['backup', 'vacuum', 'report', 'late'])
  assert.deepEqual(names('database SAVES', 'all'), ['backup'])
  assert.deepEqual(names('host.kron va', 'all'), ['vacuum'])
  assert.deepEqual(names('database vacuum', 'all'), [])
})

test('jobs are shown by their state', () => {
  assert.deepEqual(names('', 'running'), ['backup'])
  assert.deepEqual(names('', 'troubled'), ['vacuum', 'late'])
  assert.deepEqual(names('', 'suspended'), ['report'])
})
