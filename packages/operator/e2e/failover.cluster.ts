import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { parseInstant } from '@kron/core'
import { until } from '../../../verify/cluster/until.ts'
import { kronJobsPath } from '../src/cluster/paths.ts'
import type { KronJob } from '../src/manifest/kronjob.ts'
import { Audit } from './support/audit.ts'
import { told } from './support/events.ts'
import { create, labelTime, nowSeconds, template, when } from './support/kron-jobs.ts'
import { metricOf } from './support/metric.ts'
import { loggedPeriods } from './support/operator-log.ts'
import { holderOf, type Replica, startReplica, timesOf } from './support/replica.ts'
import type { World } from './support/world.ts'

const KRON_JOBS = 120
const DOWN_PERIODS = 4

/** Tests of times without a leader: after a kill, and after a longer downtime. */
export function failover(world: () => World): void {
  describe('failover', { concurrency: true }, () => {
    test('a leader is killed beside a standby, and no period that never ran counts as executed', async () => {
      const namespace = await world().namespace('failover')
      const audit = new Audit(world(), namespace)
      const specWith = (rest: Record<string, unknown>) => ({
        schedule: '* * * * *',
        window: { mode: 'after', duration: '59s' },
        policy: { concurrency: 'allow' },
        history: { successful: 100 },
        jobTemplate: template(world(), 'succeeds', rest),
      })
      const specs = [specWith({}), specWith({ ttlSecondsAfterFinished: 1 })]
      const launch = (name: string): Promise<Replica> =>
        startReplica(world(), { name, namespace, leaseDuration: 'default' })
      const first = await launch('failover-a')
      await first.leading()
      const second = await launch('failover-b')
      const names = Array.from({ length: KRON_JOBS }, (_, i) => `spread-${i}`)
      for (const [i, name] of names.entries()) await create(world(), { namespace, name }, specs[i % 2]!)
      await until('starts are under way', () => audit.periods().length > 40)
      // On a busy machine the lease may have changed hands.
      const isFirst = (await holderOf(world(), namespace)) === 'failover-a'
      const [leader, standby] = isFirst ? [first, second] : [second, first]
      const killedAt = Date.now()
      await leader.kill('SIGKILL')
      const took = await until('the standby leads', () =>
        timesOf(standby, 'leading').find(at => at > killedAt),
      )
      const seen = new Set(audit.periods())
      await until('the standby starts Jobs', () => audit.periods().some(each => !seen.has(each)))
      await pause(60_000)
      const gap = (took - killedAt) / 1000
      const { items } = await world().api.get<{ items: KronJob[] }>(kronJobsPath(namespace))
      assert.equal(items.length, KRON_JOBS)
      const ended = loggedPeriods(world(), namespace)
      const executed = ended.filter(each => each.event === 'executed')
      const unfounded = executed.filter(({ name, periodId }) => {
        const nominal = parseInstant(periodId)
        return nominal.ok && audit.count(name, labelTime(nominal.value)) === 0
      })
      const missed = ended.filter(each => each.event === 'missed').length
      console.error(
        `# failover: ${gap.toFixed(1)} s, ${executed.length} executed, ${missed} missed, ${unfounded.length} executed without a Job`,
      )
      // A Job with a TTL may have come and gone if the leader was killed, or lost its lease, while it created the Job.
      const inDoubt = unfounded.filter(each => each.reason === 'unknown result')
      assert.deepEqual(
        unfounded.filter(each => !inDoubt.includes(each)),
        [],
      )
      const terms = timesOf(leader, 'leading').length + timesOf(standby, 'leading').length
      assert.ok(inDoubt.length <= terms, `${terms} terms, ${JSON.stringify(inDoubt)}`)
      assert.deepEqual(audit.contradictions(), [])
      await audit.stop()
      await standby.kill('SIGTERM')
    })

    test('the periods of a downtime are all counted and named once, with their range', async () => {
      const namespace = await world().namespace('downtime')
      const named = { namespace, name: 'minutely' }
      const first = await startReplica(world(), { name: 'downtime', namespace })
      await first.leading()
      await create(world(), named, { schedule: '* * * * *', jobTemplate: template(world(), 'succeeds') })
      const { status } = await when(
        world(),
        named,
        'has run',
        each => each.status?.lastOutcome === 'executed',
      )
      const last = Date.parse(status!.lastPeriodID!) / 1000
      await first.kill('SIGTERM')
      await until('some periods have passed', () => nowSeconds() > last + DOWN_PERIODS * 60 + 20, {
        within: 400_000,
      })
      const second = await startReplica(world(), { name: 'downtime', namespace })
      const missed = await told(world(), named, 'Missed')
      assert.match(missed.note, new RegExp(`, ${DOWN_PERIODS} periods`))
      assert.equal(await metricOf(second, 'kron_missed_total', { reason: 'deadline' }), DOWN_PERIODS)
      await second.kill('SIGTERM')
    })
  })
}
