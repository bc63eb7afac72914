import { sized } from './quick.ts'

/** One way to do a piece of work: `run` does it `times` times. */
export interface Contender {
  readonly name: string
  run(times: number): unknown
}

/** The cost of a contender's calls in nanoseconds, one figure per round. */
export interface Timing {
  readonly name: string
  readonly rounds: readonly number[]
}

export interface Method {
  readonly rounds: number
  /** Slices of every contender in one round. */
  readonly slices: number
  readonly sliceMs: number
}

export const METHOD: Method = { rounds: sized(7, 3), slices: 4, sliceMs: 5 }

/** Times contenders side by side: short slices in turn, in an order that rotates, so that all meet the same machine. */
export function compare(contenders: readonly Contender[], method: Method = METHOD): Timing[] {
  const times = contenders.map(each => calibrate(each, method.sliceMs))
  const timings = contenders.map(({ name }) => ({ name, rounds: [] as number[] }))
  for (let round = 0; round < method.rounds; round++) {
    const spent = contenders.map(() => 0)
    for (let slice = 0; slice < method.slices; slice++) {
      for (let turn = 0; turn < contenders.length; turn++) {
        const i = (turn + slice + round) % contenders.length
        spent[i]! += spentOn(contenders[i]!, times[i]!)
      }
    }
    for (const [i, ms] of spent.entries()) timings[i]!.rounds.push((ms * 1e6) / (times[i]! * method.slices))
  }
  return timings
}

/** Milliseconds of processor time of all threads; other work on the machine does not count. */
function spentOn(contender: Contender, times: number): number {
  const start = process.cpuUsage()
  contender.run(times)
  const { user, system } = process.cpuUsage(start)
  return (user + system) / 1e3
}

/** How often a contender's work fits into a slice, once it has warmed up. */
function calibrate(contender: Contender, sliceMs: number): number {
  let times = 1
  let total = 0
  for (;;) {
    const ms = spentOn(contender, times)
    total += ms
    if (ms >= sliceMs && total >= sliceMs * 10) return Math.max(1, Math.round((times * sliceMs) / ms))
    if (ms < sliceMs) times = Math.ceil(times * Math.min(10, Math.max(1.5, sliceMs / Math.max(ms, 0.001))))
  }
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}

/** The cost of `b` divided by the cost of `a`: the median of the rounds' ratios, and their range. */
export interface Ratio {
  readonly median: number
  readonly least: number
  readonly most: number
}

export function ratio(a: Timing, b: Timing): Ratio {
  const ratios = a.rounds.map((ns, round) => b.rounds[round]! / ns)
  return { median: median(ratios), least: Math.min(...ratios), most: Math.max(...ratios) }
}

/** The cost of `a` divided by the cost of `b`. */
export const inverse = ({ median, least, most }: Ratio): Ratio => ({
  median: 1 / median,
  least: 1 / most,
  most: 1 / least,
})

/** Runs the work over an array in turn, and uses the results, so that no engine can skip it. */
export function over<T>(name: string, items: readonly T[], work: (item: T) => unknown): Contender {
  const kept: unknown[] = new Array(16).fill(undefined)
  return {
    name,
    run(times) {
      let at = 0
      for (let i = 0; i < times; i++) {
        kept[i & 15] = work(items[at]!)
        if (++at === items.length) at = 0
      }
      return kept
    },
  }
}
