import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type TargetRun, withRun } from './record.ts'

const run = (executions: number): TargetRun => ({
  executions,
  corpus: executions,
  branches: 1,
  ofBranches: 2,
  crashes: 1,
  hangs: 0,
})
const at = (commit: string) => ({ date: '2026-03-01T02:00:00Z', commit })

test('runs on one parser add up with all their commits, and other parsers keep theirs', () => {
  const first = withRun(withRun(undefined, 'cron', run(10), at('old')), 'ics', run(1), at('old'))
  const second = withRun(withRun(first, 'cron', run(20), at('new')), 'cron', run(30), at('new'))
  const { cron, ics } = second.targets
  assert.deepEqual([cron!.executions, cron!.crashes, cron!.corpus], [60, 3, 30])
  assert.deepEqual([cron!.commits, ics!.commits], [['old', 'new'], ['old']])
  assert.equal(second.commit, 'new')
})
