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
import type { Plan } from '../plan/plan.ts'
import { Attempts } from './attempts.ts'

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
  const attempts = new Attempts()
  assert.equal(attempts.isCertainlyAbsent(announcing), false)
  attempts.note(bare, planOf())
  assert.equal(attempts.isCertainlyAbsent(announcing), true)
  attempts.sent(KEY, TWO_NAME)
  assert.equal(attempts.isCertainlyAbsent(announcing), false)
})

test('a Job that another leader announced and that does not exist is certainly absent', () => {
  const attempts = new Attempts()
  attempts.notFound(KEY, TWO_NAME)
  assert.equal(attempts.isCertainlyAbsent(announcing), true)
})

test('an own request without an answer may still be carried out, so a look proves nothing for later', () => {
  const attempts = new Attempts()
  attempts.sent(KEY, TWO_NAME)
  attempts.notFound(KEY, TWO_NAME)
  assert.equal(attempts.isCertainlyAbsent(announcing), false)
})

test('a certain refusal proves that there is no Job, until the next term', () => {
  const attempts = new Attempts()
  attempts.sent(KEY, TWO_NAME)
  attempts.refused(KEY, TWO_NAME)
  assert.equal(attempts.isCertainlyAbsent(announcing), true)
  attempts.clear()
  assert.equal(attempts.isCertainlyAbsent(announcing), false)
})

test('a created Job is remembered until another start is announced', () => {
  const attempts = new Attempts()
  attempts.created(KEY, jobFor(TWO))
  assert.deepEqual(
    [attempts.createdFor(announcing)?.name, attempts.isCertainlyAbsent(announcing)],
    [TWO_NAME, false],
  )
  assert.equal(attempts.createdFor(kronJob({}, { intent: announced(ONE) })), undefined)
  attempts.note(announcing, planOf(announced(THREE)))
  assert.equal(attempts.createdFor(announcing), undefined)
})

test('nobody has acted on an announcement ahead of its time, unless it comes from another clock', () => {
  const [before, ahead] = [instant(TWO) - 1, announced(TWO)]
  const isAbsent = (spec: object): boolean => {
    const attempts = new Attempts()
    const announcement = kronJob(spec, { intent: ahead })
    attempts.noteAhead(announcement, before)
    return attempts.isCertainlyAbsent(announcement)
  }
  assert.equal(isAbsent({}), true)
  assert.equal(isAbsent(withTtl), false)
})
