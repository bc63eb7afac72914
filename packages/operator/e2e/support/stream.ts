import { decide, next } from '@kron/core'
import { until } from '../../../../verify/cluster/until.ts'
import { Audit } from './audit.ts'
import { create, jobFrom, labelTime, nowSeconds, read, template } from './kron-jobs.ts'
import { handles, Ledger, type Period } from './ledger.ts'
import type { World } from './world.ts'

/** The results of all periods in a span. */
export interface Account {
  readonly periods: number
  readonly started: number
  /** Periods without a Job whose recorded reason is that a later period of the same KronJob was also due. */
  readonly superseded: number
  /**
   * Periods with two Jobs, with neither Job nor reason, with both, or with another reason; and contradictions between
   * Jobs, audit log, logs and statuses. There must be none.
   */
  readonly wrong: readonly string[]
}

/** Many minutely KronJobs, so that some start is in progress at any moment. */
export interface Stream {
  readonly audit: Audit
  /** Waits until every period chosen in the span is handled, and returns the results. */
  account(from: number, to: number): Promise<Account>
  stop(): Promise<void>
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
  const audit = new Audit(world, namespace)
  const ledger = new Ledger(world, namespace)
  const created = await Promise.all(names.map(name => create(world, { namespace, name }, spec)))

  const periodsIn = (from: number, to: number): Period[] =>
    created.flatMap(({ metadata: { name, creationTimestamp } }) => {
      const job = jobFrom({ namespace, name }, spec)
      const { cron, zone } = job.schedule
      const periods: Period[] = []
      const opens = Math.max(from - 60, Date.parse(creationTimestamp) / 1000)
      for (let nominal = next(cron, zone, opens - 1)!; nominal <= to; nominal = next(cron, zone, nominal)!) {
        const { chosen } = decide(job, nominal)
        if (chosen !== null && chosen >= from && chosen <= to) periods.push({ name, nominal })
      }
      return periods
    })

  const handled = async (periods: readonly Period[]): Promise<void> => {
    for (const name of names) {
      const own = periods.filter(each => each.name === name)
      const all = async (): Promise<boolean> => {
        const { status } = await read(world, { namespace, name })
        return own.every(({ nominal }) => handles(status, nominal))
      }
      await until(`${name} has handled every period`, all, { within: 180_000, every: 500 })
    }
  }

  return {
    audit,
    account: async (from, to) => {
      const periods = periodsIn(from, to)
      await handled(periods)
      const hasJob = ({ name, nominal }: Period): boolean => audit.count(name, labelTime(nominal)) > 0
      const reasonOf = (reasons: Map<string, Set<string>>, { name, nominal }: Period): string =>
        [...(reasons.get(`${name} ${nominal}`) ?? [])].join(', ')
      // The watches behind the result may lag behind the status that was read above.
      const settled = await until('every period is on record', () => {
        const reasons = ledger.reasons(periods, hasJob)
        return periods.every(each => hasJob(each) || reasonOf(reasons, each) !== '') && reasons
      }).catch(() => ledger.reasons(periods, hasJob))
      const verdicts = periods.map(each => {
        const jobs = audit.count(each.name, labelTime(each.nominal))
        return { ...each, jobs, reason: reasonOf(settled, each) }
      })
      return {
        periods: periods.length,
        started: verdicts.filter(each => each.jobs === 1).length,
        superseded: verdicts.filter(each => each.jobs === 0 && each.reason === 'superseded').length,
        wrong: [
          ...verdicts
            .filter(({ jobs, reason }) => (jobs === 1 ? reason !== '' : jobs > 1 || reason !== 'superseded'))
            .map(
              ({ name, nominal, jobs, reason }) => `${name} ${labelTime(nominal)}: ${jobs} Jobs, ${reason}`,
            ),
          ...audit.contradictions(ledger.told),
        ],
      }
    },
    stop: async () => {
      await audit.stop()
      await ledger.stop()
    },
  }
}

export const instantNow = nowSeconds
