import { availableParallelism, loadavg } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { StealWatch } from './steal.ts'

/** Load for each core at the beginning above which other work disturbs a benchmark. */
const MOST_LOAD = 0.5
/** Share of the processors that a hypervisor may take from a benchmark. */
const MOST_STOLEN = 0.05

/** Longer than the load of one benchmark takes to pass, in ms. */
const LONGEST_WAIT_MS = 180_000
const LOOK_EVERY_MS = 5_000

/** Waits until the load of the benchmark before has passed. Load that stays is other work, and is reported later. */
export async function untilQuiet(
  load: () => number = () => loadavg()[0]!,
  pause: (ms: number) => Promise<unknown> = sleep,
): Promise<void> {
  const most = MOST_LOAD * availableParallelism()
  if (load() > most) console.log(`waiting until the load is at most ${most.toFixed(1)} ...`)
  for (let waited = 0; load() > most && waited < LONGEST_WAIT_MS; waited += LOOK_EVERY_MS)
    await pause(LOOK_EVERY_MS)
}

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
