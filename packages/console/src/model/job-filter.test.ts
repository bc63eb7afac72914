import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JobRecord } from '../api/records.ts'
import { filterJobs, type Shown } from './job-filter.ts'
import type { JobState } from './job-state.ts'

const make = (name: string, state: JobState, description = ''): JobRecord & { readonly state: JobState } => ({
  identity: `/etc/krond.d/host.kron:${name}`,
  name,
  schedule: '0 2 * * *',
  timezone: 'UTC',
  description,
  suspended: false,
  pause: null,
  pauses: [],
  nextTime: null,
  running: 0,
  last: null,
  recent: null,
  state,
})
const JOBS = [
  make('backup', 'running', 'Saves the Database'),
  make('vacuum', 'failing'),
  make('report', 'suspended'),
  make('freeze', 'paused'),
]
const names = (query: string, shown: Shown): string[] =>
  filterJobs(JOBS, query, shown, job => (job as (typeof JOBS)[number]).state).map(job => job.name)

test('every word must occur somewhere, in any case', () => {
  assert.deepEqual(names('', 'all'), ['backup', 'vacuum', 'report', 'freeze'])
  assert.deepEqual(names('database SAVES', 'all'), ['backup'])
  assert.deepEqual(names('host.kron va', 'all'), ['vacuum'])
  assert.deepEqual(names('database vacuum', 'all'), [])
})

test('jobs are shown by their state; a suspended job counts as paused', () => {
  assert.deepEqual(names('', 'running'), ['backup'])
  assert.deepEqual(names('', 'failing'), ['vacuum'])
  assert.deepEqual(names('', 'paused'), ['report', 'freeze'])
})
