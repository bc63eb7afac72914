import type { Clock } from '@kron/runtime'
import type { Api } from './api.ts'
import { isConflict, isNotFound } from './api-error.ts'
import { leasesPath } from './paths.ts'
import { sleep } from './sleep.ts'

export interface LeadershipOptions {
  readonly api: Api
  readonly clock: Clock
  readonly namespace: string
  readonly name: string
  readonly identity: string
  /** The time in milliseconds for which other replicas respect a lease that is not renewed. */
  readonly duration?: number | undefined
  /** Called with whether nobody else has led since this replica did. */
  readonly onGained: (isContinued: boolean) => void
  readonly onLost: () => void
  readonly onTrouble?: (error: unknown) => void
}

interface Lease {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: { readonly name: string; readonly namespace: string; readonly resourceVersion?: string }
  readonly spec: {
    readonly holderIdentity?: string
    readonly leaseDurationSeconds?: number
    readonly acquireTime?: string
    readonly renewTime?: string
    readonly leaseTransitions?: number
  }
}

/**
 * The duration is short, so that a killed leader costs at most five seconds: this duration, one check by the standby,
 * and one list. The cost is a request every 750 ms from the leader and every 500 ms from each standby.
 */
export const LEASE_DURATION = 3_000
const LONGEST_LOOK = 2_500

/**
 * Leader election on a Lease. Other replicas measure how long the Lease has not changed and ignore the times in it, so
 * clocks may differ. The leader gives up after two thirds of the duration, before another replica can take over.
 */
export class Leadership {
  readonly #options: LeadershipOptions
  readonly #duration: number
  #lease: Lease | undefined
  /** The last version seen, and the time since which it has not changed. */
  #seen = { version: '', since: 0 }
  #validUntil = Number.NEGATIVE_INFINITY
  #leading = false
  /** The number of the last term of this replica: the Lease counts its changes of holder. */
  #term: number | undefined
  #isContinued = false

  constructor(options: LeadershipOptions) {
    this.#options = options
    this.#duration = options.duration ?? LEASE_DURATION
  }

  /** Whether this replica may write now. */
  get held(): boolean {
    return this.#monotonic() < this.#validUntil
  }

  /** Milliseconds for which no other replica can lead. 0 once this replica may no longer write. */
  get left(): number {
    return this.held ? this.#validUntil + this.#duration / 3 - this.#monotonic() : 0
  }

  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        await this.#campaign()
      } catch (error) {
        this.#lease = undefined
        if (!isConflict(error)) this.#options.onTrouble?.(error)
      }
      this.#tell()
      await sleep(this.#options.clock, this.#pause(), signal)
      this.#tell()
    }
    await this.#release()
  }

  /** The leader renews well before it would have to stop. The other replicas check at intervals. */
  #pause(): number {
    if (!this.#leading) return Math.min(this.#duration / 6, LONGEST_LOOK) * (0.8 + Math.random() * 0.4)
    return Math.max(1, Math.min(this.#duration / 4, this.#validUntil - this.#monotonic()))
  }

  #tell(): void {
    const leading = this.held
    if (leading === this.#leading) return
    this.#leading = leading
    if (leading) this.#options.onGained(this.#isContinued)
    else this.#options.onLost()
  }

  async #campaign(): Promise<void> {
    const { api, namespace, name } = this.#options
    const started = this.#monotonic()
    // The leader renews the Lease it wrote. Every other replica has to read it first.
    this.#lease ??= await api.get<Lease>(leasesPath(namespace, name)).catch(error => {
      if (isNotFound(error)) return undefined
      throw error
    })
    const lease = this.#lease
    if (lease !== undefined && !this.#free(lease)) {
      this.#lease = undefined
      return
    }
    const timeout = this.#duration / 3
    const body = this.#claim(lease)
    this.#lease = await (lease === undefined
      ? api.call<Lease>('POST', leasesPath(namespace), { body, timeout })
      : api.call<Lease>('PUT', leasesPath(namespace, name), { body, timeout }))
    // If the lease ran out before this renewal, the listeners hear that it was lost before they hear that it is held.
    this.#tell()
    const { holderIdentity, leaseTransitions } = lease?.spec ?? {}
    this.#isContinued = holderIdentity === this.#options.identity && leaseTransitions === this.#term
    this.#term = this.#lease.spec.leaseTransitions
    this.#validUntil = started + (this.#duration * 2) / 3
  }

  #free({ metadata, spec }: Lease): boolean {
    const now = this.#monotonic()
    const version = metadata.resourceVersion ?? ''
    if (version !== this.#seen.version) this.#seen = { version, since: now }
    if (!spec.holderIdentity || spec.holderIdentity === this.#options.identity) return true
    return now - this.#seen.since > (spec.leaseDurationSeconds ?? 0) * 1000
  }

  #claim(lease: Lease | undefined): Lease {
    const { namespace, name, identity, clock } = this.#options
    const now = new Date(clock.now()).toISOString().replace('Z', '000Z')
    const mine = lease?.spec.holderIdentity === identity
    return {
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata: lease?.metadata ?? { name, namespace },
      spec: {
        holderIdentity: identity,
        leaseDurationSeconds: Math.max(1, Math.ceil(this.#duration / 1000)),
        acquireTime: (mine && lease?.spec.acquireTime) || now,
        renewTime: now,
        leaseTransitions: (lease?.spec.leaseTransitions ?? 0) + (lease === undefined || mine ? 0 : 1),
      },
    }
  }

  /** Releases the lease, so that the next replica can start at once. */
  async #release(): Promise<void> {
    const lease = this.#lease
    const wasHeld = this.held
    this.#validUntil = Number.NEGATIVE_INFINITY
    this.#tell()
    if (!wasHeld || lease === undefined) return
    const { api, namespace, name } = this.#options
    const body = { ...lease, spec: { ...lease.spec, holderIdentity: '', leaseDurationSeconds: 1 } }
    await api.call('PUT', leasesPath(namespace, name), { body, timeout: 3_000 }).catch(() => {})
  }

  #monotonic(): number {
    return this.#options.clock.monotonic?.() ?? this.#options.clock.now()
  }
}
