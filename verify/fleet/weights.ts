/** The cost of 1,000 jobs that follow a curve, beside an even spread and beside all of them at the cheapest moment. */
import { readFileSync } from 'node:fs'
import { decide, type Job, parseCurve, parseScheduleHead, type Steps, withCurve } from '@kron/core'
import { picture } from './histogram.ts'

const JOBS = 1_000
const START = Date.parse('2026-03-02T00:00:00Z') / 1_000
const DAY = 86_400
/** Starts are counted in buckets of five minutes. */
const BUCKET = 300

/** The costs of a day, step by step; a file of costs has the form of a weights file. */
export function readCosts(name: 'tariff' | 'carbon'): Steps {
  const steps = parseCurve(readFileSync(new URL(`curves/${name}.csv`, import.meta.url), 'utf8'))
  if (!steps.ok) throw new Error(steps.faults[0]!.message)
  return steps.value
}

/** Weights from costs, as the guide computes them: the cheapest step has 1, the dearest 0, squared in between. */
export function weightsFrom({ scale, starts, weights: costs, end }: Steps): Steps {
  const [least, most] = [Math.min(...costs), Math.max(...costs)]
  const weights = costs.map(cost => Number((((most - cost) / (most - least)) ** 2).toFixed(4)))
  return { scale, starts, weights, end }
}

export interface Bill {
  /** The mean cost of a start. */
  readonly cost: number
  /** The most starts in five minutes. */
  readonly peak: number
  readonly counts: Uint32Array
}

function billOf(starts: readonly number[], costs: Steps): Bill {
  const counts = new Uint32Array(DAY / BUCKET)
  let sum = 0
  for (const at of starts) {
    counts[Math.floor((at - START) / BUCKET)]! += 1
    sum += costs.weights[costs.starts.findLastIndex(start => start <= at)]!
  }
  return { cost: sum / starts.length, peak: Math.max(...counts), counts }
}

/** A day of 1,000 daily jobs whose window is the whole day. */
export function compare(costs: Steps): Readonly<Record<'uniform' | 'weights' | 'minimum', Bill>> {
  const window = '0 0 * * * @win(after,86399s)'
  const chosen = (schedule: Job['schedule']): number[] =>
    Array.from({ length: JOBS }, (_, i) => {
      return decide({ identity: `/etc/krond.d/jobs.kron:job-${i}`, schedule }, START).chosen!
    })
  const weighted = parseScheduleHead(`${window} @dist(weights,file=x)`).schedule!
  const cheapest = costs.starts[costs.weights.indexOf(Math.min(...costs.weights))]!
  return {
    uniform: billOf(chosen(parseScheduleHead(window).schedule!), costs),
    weights: billOf(chosen(withCurve(weighted, () => ({ digest: '', steps: weightsFrom(costs) }))), costs),
    minimum: billOf(
      Array.from({ length: JOBS }, () => cheapest),
      costs,
    ),
  }
}

/** Starts per five minutes under the three rules, with what each costs. */
export function weightsPicture(name: 'tariff' | 'carbon', unit: string): string {
  const { uniform, weights, minimum } = compare(readCosts(name))
  const title = (rule: string, { cost, peak }: Bill): string =>
    `${rule}: ${cost.toFixed(1)} ${unit} on average, at most ${peak.toLocaleString('en')} starts in 5 minutes`
  return picture(
    `1,000 jobs of a day, spread evenly, by weights, and all at the minimum, with the average ${unit} of each`,
    [
      { title: title('spread evenly', uniform), kind: 'herd', counts: uniform.counts },
      { title: title('by weights', weights), kind: 'spread', counts: weights.counts },
      { title: title('all at the minimum', minimum), kind: 'herd', counts: minimum.counts },
    ],
    ['00:00', '24:00'],
  )
}
