import { runtimeZoneData } from '@kron/core'
import type { HostZones } from '@kron/host'
import type { Emit } from '../log/event.ts'
import * as events from '../log/event.ts'

const CHECK_EVERY = 60_000

export interface ZoneWatchParts {
  readonly zones: HostZones
  /** Gives the jobs their new zones. */
  readonly takeUp: () => Promise<unknown>
  readonly emit: Emit
}

/** Looks once a minute whether an update has replaced the host's zone files. */
export class ZoneWatch {
  readonly #parts: ZoneWatchParts
  readonly #told = new Set<string>()
  #timer: NodeJS.Timeout | undefined

  constructor(parts: ZoneWatchParts) {
    this.#parts = parts
  }

  start(): void {
    this.#tellUnused()
    this.#timer = setInterval(() => void this.check(), CHECK_EVERY).unref()
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  async check(): Promise<void> {
    await this.#parts.takeUp()
    this.#tellUnused()
  }

  /** Warns once about a file that exists but cannot be used. */
  #tellUnused(): void {
    const { zones } = this.#parts
    for (const { name, path, why } of zones.unused()) {
      const isKept = zones.find(name)?.source !== runtimeZoneData()
      const rules = isKept
        ? `krond keeps the rules of ${name} that it read before`
        : `krond uses Node's rules for ${name}`
      const message = `${path} is not used: ${why}; ${rules}`
      if (!this.#told.has(message)) this.#parts.emit(events.warned('read zones', message))
      this.#told.add(message)
    }
  }
}
