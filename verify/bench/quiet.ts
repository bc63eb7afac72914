import { availableParallelism, loadavg } from 'node:os'
import { StealWatch } from './steal.ts'

/** Load for each core at the beginning above which other work disturbs a benchmark. */
const MOST_LOAD = 0.5
/** Share of the processors that a hypervisor may take from a benchmark. */
const MOST_STOLEN = 0.05

/** Watches whether the machine is left alone while something is measured. */
export class Quiet {
  readonly #load = loadavg()[0]!
  readonly #steal = new StealWatch()

  /** The reasons for which the figures must not be recorded; none if the machine was left alone. */
  disturbances(): string[] {
    return disturbancesOf(this.#load, availableParallelism(), this.#steal.look())
  }
}

export function disturbancesOf(load: number, cores: number, stolen: number): string[] {
  const reasons: string[] = []
  if (load > MOST_LOAD * cores)
    reasons.push(
      `load ${load.toFixed(1)} at the beginning, at most ${(MOST_LOAD * cores).toFixed(1)} is quiet`,
    )
  if (stolen > MOST_STOLEN)
    reasons.push(
      `${(stolen * 100).toFixed(0)} % of the processors stolen, at most ${MOST_STOLEN * 100} % is quiet`,
    )
  return reasons
}
