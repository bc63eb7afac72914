import { decide, next } from '@kron/core'
import { until } from '../../../../test/cluster/until.ts'
import type { Audit } from './audit.ts'
import { create, jobFrom, labelTime, nowSeconds, read, template } from './kron-jobs.ts'
import type { World } from './world.ts'

/** Many minutely KronJobs, so that at any moment some start is under way. */
export interface Stream {
  readonly names: readonly string[]
  /** Waits until every period chosen before the instant is handled. */
  handledUpTo(instant: number): Promise<void>
  /** How many of the periods chosen in the span had a Job, of how many. */
  started(audit: Audit, from: number, to: number): Promise<{ started: number; periods: number }>
}

export async function startStream(world: World, namespace: string, count: number): Promise<Stream> {
  const names = Array.from({ length: count }, (_, i) => `stream-${i}`)
  const spec = {
    schedule: '* * * * *',
    window: { mode: 'after', duration: '59s' },
    policy: { concurrency: 'allow', deadline: '30m' },
    history: { successful: 1000, failed: 1000 },
    jobTemplate: template(world, 'succeeds'),
  }
  await Promise.all(names.map(name => create(world, { namespace, name }, spec)))

  async function* periods(from: number, to: number): AsyncGenerator<{ name: string; nominal: number }> {
    for (const name of names) {
      const { metadata } = await read(world, { namespace, name })
      const job = jobFrom({ namespace, name }, spec)
      const { cron, zone } = job.schedule
      const opens = Math.max(from - 60, Date.parse(metadata.creationTimestamp) / 1000)
      for (let nominal = next(cron, zone, opens - 1)!; nominal <= to; nominal = next(cron, zone, nominal)!) {
        const { chosen } = decide(job, nominal)
        if (chosen !== null && chosen >= from && chosen <= to) yield { name, nominal }
      }
    }
  }

  return {
    names,
    handledUpTo: async instant => {
      for (const name of names) {
        await until(
          `${name} is handled up to ${new Date(instant * 1000).toISOString()}`,
          async () => {
            const { status } = await read(world, { namespace, name })
            return Date.parse(status?.nextChosenTime ?? '') / 1000 > instant && status?.intent === undefined
          },
          { within: 120_000, every: 500 },
        )
      }
    },
    started: async (audit, from, to) => {
      const known = new Set(audit.periods())
      let total = 0
      let started = 0
      for await (const { name, nominal } of periods(from, to)) {
        total++
        if (known.has(`${name} ${labelTime(nominal)}`)) started++
      }
      return { started, periods: total }
    },
  }
}

export const instantNow = nowSeconds
