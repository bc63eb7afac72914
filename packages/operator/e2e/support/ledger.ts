import { parseInstant, printInstant } from '@kron/core'
import { systemClock } from '@kron/runtime'
import type { ToldOutcome } from '@kron/testkit/operator/contradictions'
import { kronJobsPath } from '../../src/cluster/paths.ts'
import { Reflector } from '../../src/cluster/reflector.ts'
import type { KronJob, KronJobStatus } from '../../src/manifest/kronjob.ts'
import { loggedPeriods } from './operator-log.ts'
import type { World } from './world.ts'

const ENDED_WITHOUT_JOB = ['missed', 'skipped']

export interface Period {
  readonly name: string
  readonly nominal: number
}

/** Whether the status counts the period as handled. */
export function handles(status: KronJobStatus | undefined, nominal: number): boolean {
  const through = parseInstant(status?.handledThrough ?? '')
  return (through.ok && nominal <= through.value) || !!status?.handledPeriods?.includes(printInstant(nominal))
}

/**
 * The periods that ended without a Job, with the reasons. The sources are every status seen by a separate watch, and
 * the logs of the replicas. Either may have a gap (a cut watch, a kill between write and log line), but not the same
 * one.
 */
export class Ledger {
  readonly #world: World
  readonly #namespace: string
  readonly #statuses = new Map<string, KronJobStatus[]>()
  readonly #stop = new AbortController()
  readonly #done: Promise<void>

  constructor(world: World, namespace: string) {
    this.#world = world
    this.#namespace = namespace
    const see = (kronJob: KronJob): void => this.#see(kronJob)
    const reflector = new Reflector<KronJob>({
      api: world.api,
      path: kronJobsPath(namespace),
      clock: systemClock,
      into: { retain: () => {}, put: see, remove: () => {} },
    })
    this.#done = reflector.run(this.#stop.signal)
  }

  #see({ metadata, status = {} }: KronJob): void {
    const known = this.#statuses.get(metadata.name)
    if (known) known.push(status)
    else this.#statuses.set(metadata.name, [status])
  }

  /** The reasons on record: `name nominal` → reasons. */
  reasons(periods: readonly Period[], hasJob: (period: Period) => boolean): Map<string, Set<string>> {
    const found = this.#logged(hasJob)
    for (const period of periods) {
      const { name, nominal } = period
      const statuses = this.#statuses.get(name) ?? []
      const first = statuses.find(status => handles(status, nominal))
      if (first === undefined || !ENDED_WITHOUT_JOB.includes(first.lastOutcome ?? '')) continue
      const told = first.lastPeriodID === printInstant(nominal)
      // One write may end several periods but names only the last. The skipped periods have the same reason.
      const passedOver = first.lastReason === 'superseded' && !hasJob(period)
      if (told || passedOver) add(found, `${name} ${nominal}`, first.lastReason!)
    }
    return found
  }

  #logged(hasJob: (period: Period) => boolean): Map<string, Set<string>> {
    const found = new Map<string, Set<string>>()
    for (const { event, name, periodId, reason, outcome = '' } of loggedPeriods(
      this.#world,
      this.#namespace,
    )) {
      const nominal = parseInstant(periodId)
      if (!nominal.ok) continue
      // The answer to the write was lost. Without a Job, the outcome in the log is the one that was written.
      const isUnconfirmed = event === 'unconfirmed' && !hasJob({ name, nominal: nominal.value })
      if (ENDED_WITHOUT_JOB.includes(isUnconfirmed ? outcome : event))
        add(found, `${name} ${nominal.value}`, reason)
    }
    return found
  }

  /** The outcomes in all statuses that the watch has seen. */
  get told(): ToldOutcome[] {
    return [...this.#statuses].flatMap(([name, statuses]) =>
      statuses.flatMap(({ lastPeriodID: periodId, lastOutcome: outcome }) =>
        periodId && outcome ? [{ name, periodId, outcome }] : [],
      ),
    )
  }

  async stop(): Promise<void> {
    this.#stop.abort()
    await this.#done
  }
}

function add(found: Map<string, Set<string>>, key: string, reason: string): void {
  found.set(key, (found.get(key) ?? new Set()).add(reason))
}
