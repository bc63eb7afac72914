import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { type TestContext, test } from 'node:test'
import { ConfigurationError } from '@kron/core'
import type { Entry, RunAccount } from '@kron/host'
import { readProcessStat } from '@kron/host'
import { systemClock } from '@kron/runtime'
import type { Survivor } from '../effects/ports.ts'
import { hostOldRuns } from './old-runs.ts'

const self = process.getuid!()
const other = 65_534
const ENTRY = {} as Entry

/** The survivors of this execution, on a host whose jobs run as this user. */
async function survivorsOf(executionId: string, runAs: () => RunAccount | undefined): Promise<Survivor[]> {
  return (await hostOldRuns(systemClock, runAs).survivors()).filter(each => each.executionId === executionId)
}

/** A shell with a child, as an earlier daemon would have left it. */
async function leave(t: TestContext, executionId: string, uid: number): Promise<number> {
  const child = spawn('sh', ['-c', 'sleep 60 & echo; wait'], {
    detached: true,
    stdio: ['ignore', 'pipe', 'ignore'],
    env: {
      PATH: process.env['PATH'],
      KRON_EXECUTION_ID: executionId,
      KRON_IDENTITY: '/jobs:a',
      KRON_PERIOD_ID: '2026-03-01T00:00:00Z',
    },
    ...(uid === self ? {} : { uid, gid: uid }),
  })
  t.after(() => process.kill(-child.pid!, 'SIGKILL'))
  await once(child.stdout, 'data')
  return child.pid!
}

const asDaemon = (): undefined => undefined
const asOther = (): RunAccount => ({ uid: other }) as RunAccount
const asNobodyThere = (): never => {
  throw new ConfigurationError('there is no such user', { component: 'c', operation: 'o' })
}

test('a survivor is what its environment says, and the leader of its group', async t => {
  const executionId = `own ${process.pid}`
  const pid = await leave(t, executionId, self)
  const [{ mayBeOf: _, ...survivor }, ...more] = (await survivorsOf(executionId, asDaemon)) as [Survivor]
  assert.deepEqual(survivor, {
    executionId,
    identity: '/jobs:a',
    periodId: '2026-03-01T00:00:00Z',
    chosenTime: '',
    pid,
    processStart: readProcessStat(pid)!.startTime,
  })
  assert.deepEqual(more, [])
})

test('a process may be one of a job if the job’s user or the daemon’s runs it', async t => {
  const mayBe = async (executionId: string, runAs: () => RunAccount | undefined): Promise<boolean> =>
    (await survivorsOf(executionId, runAs))[0]!.mayBeOf!(ENTRY)
  const own = `own too ${process.pid}`
  await leave(t, own, self)
  for (const runAs of [asDaemon, asOther, asNobodyThere]) assert.ok(await mayBe(own, runAs))
  if (self !== 0) return t.diagnostic('others cannot be looked at without root')
  const foreign = `foreign ${process.pid}`
  await leave(t, foreign, other)
  assert.ok(await mayBe(foreign, asOther))
  for (const runAs of [asDaemon, asNobodyThere]) assert.ok(!(await mayBe(foreign, runAs)))
})
