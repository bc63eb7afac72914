import type { Entry } from '@kron/host'
import type { Chance } from '../../chance.ts'
import { entriesOf } from './places.ts'
import { randomJob } from './random-job.ts'

/** The job file of a simulated host, and how it changes. */
export class JobLines {
  readonly names: readonly string[]
  lines: readonly string[]
  /** The correct entries of the lines; the daemon parses the lines itself. */
  entries: readonly Entry[]
  /** A job that is due every few minutes, for some time. */
  dense: string | undefined
  private readonly chance: Chance

  constructor(chance: Chance) {
    this.chance = chance
    this.names = Array.from({ length: chance.between(1, 3) }, (_, i) => `job-${i}`)
    this.lines = this.names.map(name => randomJob(name, chance))
    this.entries = entriesOf(this.lines)
  }

  get suspended(): number {
    return this.entries.filter(entry => entry.schedule.policy.suspend).length
  }

  /** Changes some jobs, removes some, and restores some. */
  edit(): void {
    const { chance, names } = this
    const before = this.dense
    this.dense = before === undefined && chance.happens(0.4) ? chance.pick(names) : undefined
    this.lines = names
      .filter(name => name === this.dense || chance.happens(0.9))
      .map(name => {
        if (name === this.dense) return randomJob(name, chance, 'dense')
        const old = this.lines.find(line => line.includes(`name=${name} `))
        return old !== undefined && name !== before && chance.happens(0.3) ? old : randomJob(name, chance)
      })
    this.entries = entriesOf(this.lines)
  }
}
