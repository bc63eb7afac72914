import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  announced,
  instant,
  jobFor,
  kronJob,
  ONE,
  THREE,
  TWO,
  TWO_NAME,
} from '@kron/testkit/operator/plan/fixtures'
import type { Plan } from '../../plan/plan.ts'
import { AnnouncedJobs } from './announced-jobs.ts'

const KEY = 'shop/backup'
const bare = kronJob({}, {})
const withTtl = { jobTemplate: { spec: { ttlSecondsAfterFinished: 5 } } }
const announcing = kronJob({}, { intent: announced(TWO) })
const planOf = (intent = announced(TWO)): Plan => ({
  status: { intent },
  effects: [],
  outcomes: [],
  notes: [],
})

test('the Job of an announcement that this replica wrote is certainly absent until it is asked for', () => {
  const jobs = new AnnouncedJobs()
  assert.equal(jobs.isCertainlyAbsent(announcing), false)
  jobs.note(bare, planOf())
  assert.equal(jobs.isCertainlyAbsent(announcing), true)
  jobs.sent(KEY, TWO_NAME)
  assert.equal(jobs.isCertainlyAbsent(announcing), false)
})

test('a Job that another leader announced and that does not exist is certainly absent', () => {
  const jobs = new AnnouncedJobs()
  jobs.notFound(KEY, TWO_NAME)
  assert.equal(jobs.isCertainlyAbsent(announcing), true)
})

test('an own request without an answer may still be carried out, so a look proves nothing for later', () => {
  const jobs = new AnnouncedJobs()
  jobs.sent(KEY, TWO_NAME)
  jobs.notFound(KEY, TWO_NAME)
  assert.equal(jobs.isCertainlyAbsent(announcing), false)
})

test('a certain refusal proves that there is no Job, until the next term', () => {
  const jobs = new AnnouncedJobs()
  jobs.sent(KEY, TWO_NAME)
  jobs.refused(KEY, TWO_NAME)
  assert.equal(jobs.isCertainlyAbsent(announcing), true)
  jobs.clear()
  assert.equal(jobs.isCertainlyAbsent(announcing), false)
})

test('a created Job is remembered until another start is announced', () => {
  const jobs = new AnnouncedJobs()
  jobs.created(KEY, jobFor(TWO))
  assert.deepEqual([jobs.createdFor(announcing)?.name, jobs.isCertainlyAbsent(announcing)], [TWO_NAME, false])
  assert.equal(jobs.createdFor(kronJob({}, { intent: announced(ONE) })), undefined)
  jobs.note(announcing, planOf(announced(THREE)))
  assert.equal(jobs.createdFor(announcing), undefined)
})

test('nobody has acted on an announcement ahead of its time, unless it comes from another clock', () => {
  const [before, ahead] = [instant(TWO) - 1, announced(TWO)]
  const isAbsent = (spec: object): boolean => {
    const jobs = new AnnouncedJobs()
    const announcement = kronJob(spec, { intent: ahead })
    jobs.noteAhead(announcement, before)
    return jobs.isCertainlyAbsent(announcement)
  }
  assert.equal(isAbsent({}), true)
  assert.equal(isAbsent(withTtl), false)
})
