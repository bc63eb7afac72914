import { allows } from '../constraint/constraints.ts'
import { frameOf, MAX_ATTEMPTS, offsetOf, placeOf } from '../decision/decision.ts'
import { type Shape, shapeOf } from '../distribution/distribution.ts'
import type { Job } from '../schedule/schedule.ts'
import { endOffset, startOffset } from '../schedule/window.ts'
import { periodKey, seedMaterial } from '../seed/seed.ts'
import { type Beginning, beginningOf, firstWordsAfter } from '../seed/sha256.ts'
import { type Generator, nextUnit } from '../seed/splitmix64.ts'
import type { Forecast } from './forecast.ts'
import { periodsWithin } from './periods.ts'

/**
 * One period of a job that many hosts have: gives the second that each salt chooses. The same answers as `decide`
 * with the salt in the job's seed, but the part that the hosts share is done once.
 */
export class PeriodOfFleet {
  readonly #job: Job
  readonly #windowStart: number
  readonly #seconds: number
  readonly #shape: Shape
  readonly #beginning: Beginning
  readonly #generator: Generator = { high: 0, low: 0 }

  constructor(job: Job, nominal: number) {
    const { identity, schedule } = job
    const { window, seed, zone } = schedule
    this.#job = job
    this.#windowStart = nominal + startOffset(window)
    this.#seconds = endOffset(window) - startOffset(window)
    this.#shape = shapeOf(
      schedule.distribution,
      frameOf(schedule, nominal, this.#windowStart, Math.max(1, this.#seconds)),
    )
    this.#beginning = beginningOf(seedMaterial(identity, periodKey(seed.strategy, zone, nominal), ''))
  }

  /** Epoch seconds; null: unschedulable. */
  chosen(salt: string): number | null {
    const { constraints, zone } = this.#job.schedule
    const start = this.#windowStart
    if (this.#seconds === 0) return allows(constraints, zone, start) ? start : null
    const generator = this.#generator
    firstWordsAfter(this.#beginning, salt, generator)
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      const candidate = start + offsetOf(placeOf(this.#shape, nextUnit(generator)), this.#seconds)
      if (allows(constraints, zone, candidate)) return candidate
    }
    return null
  }
}

/**
 * Adds the planned starts of one job on many hosts: one salt a host. `onStart` is told each, with the index of the
 * salt. Suspended jobs and unschedulable periods start nothing.
 */
export function addFleetToForecast(
  forecast: Forecast,
  job: Job,
  salts: readonly string[],
  onStart: (chosen: number, index: number) => void,
): void {
  const { from, to, bucket, spread, plain } = forecast
  if (job.schedule.policy.suspend) return
  for (const nominal of periodsWithin(job.schedule, from, to)) {
    if (nominal >= from && nominal < to) plain[Math.floor((nominal - from) / bucket)]! += salts.length
    const period = new PeriodOfFleet(job, nominal)
    let chosen: number | null = null
    for (let i = 0; i < salts.length; i++) {
      if (i === 0 || salts[i] !== salts[i - 1]) chosen = period.chosen(salts[i]!)
      if (chosen === null || chosen < from || chosen >= to) continue
      spread[Math.floor((chosen - from) / bucket)]! += 1
      onStart(chosen, i)
    }
  }
}
