import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseInstant, printInstant } from '@kron/core'
import { systemClock } from '@kron/runtime'
import { kronJobsPath } from '../../src/cluster/paths.ts'
import { Reflector } from '../../src/cluster/reflector.ts'
import type { KronJob, KronJobStatus } from '../../src/manifest/kronjob.ts'
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
    const found = this.#logged()
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

  #logged(): Map<string, Set<string>> {
    const found = new Map<string, Set<string>>()
    const { directory } = this.#world.plane
    const logs = readdirSync(directory).filter(name => /^operator-.*\.log$/.test(name))
    for (const line of logs.flatMap(name => readFileSync(join(directory, name), 'utf8').split('\n'))) {
      // A kill may cut the last line short.
      if (!line.endsWith('}') || !line.includes(`"identity":"${this.#namespace}/`)) continue
      const { event, identity, periodId, reason } = JSON.parse(line)
      if (!ENDED_WITHOUT_JOB.includes(event)) continue
      const nominal = parseInstant(periodId)
      if (nominal.ok) add(found, `${identity.split('/')[1]} ${nominal.value}`, reason)
    }
    return found
  }

  async stop(): Promise<void> {
    this.#stop.abort()
    await this.#done
  }
}

function add(found: Map<string, Set<string>>, key: string, reason: string): void {
  found.set(key, (found.get(key) ?? new Set()).add(reason))
}
