import { CrontabEntry } from '@kron/host'
import type { Configuration } from './configuration.ts'

/** The lines of crontabs that the daemon runs, by identity. */
export class CrontabEntries {
  #byIdentity: ReadonlyMap<string, CrontabEntry> = new Map()

  constructor(configuration: Configuration) {
    this.replace(configuration)
  }

  find(identity: string): CrontabEntry | undefined {
    return this.#byIdentity.get(identity)
  }

  replace({ entries }: Configuration): void {
    const lines = entries.filter(entry => entry instanceof CrontabEntry)
    this.#byIdentity = new Map(lines.map(entry => [entry.identity, entry]))
  }
}
