import { type StdioOptions, spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { median, type Ratio } from '../measure.ts'
import { sized } from '../quick.ts'

const ROUNDS = sized(5, 2)
/** A contender that is slower than this is measured once. */
const PATIENCE_MS = 120_000
const FIRST_LEAD_MS = 3_000
const child = fileURLToPath(new URL('./child.ts', import.meta.url))

/** Time of the processor. */
export interface Spending {
  /** Of the thread that registers and calls back: what a caller or a start waits for. */
  readonly threadMs: number
  /** Of that thread and of those beside it that compile, collect or write. */
  readonly processMs: number
}

/** The figures of one process. */
export interface Result {
  readonly registration: Spending
  readonly bytes: number
  /** When the last task that was due started, by the clock on the wall. */
  readonly lastStartMs: number
  /** From the minute to that start, and to the end of all that the minute caused. */
  readonly starts: Spending
  readonly minute: Spending
  /** Tasks that were due and never started. */
  readonly missed: number
  readonly inTime: boolean
}

export type Results = ReadonlyMap<string, readonly Result[]>

/** Every contender once a round, in an order that rotates, so that all meet the same machine. */
export function measureAll(names: readonly string[], size: number, due: number, rounds = ROUNDS): Results {
  const results = new Map<string, Result[]>(names.map(name => [name, []]))
  const leads = new Map<string, number>()
  const tooSlow = new Set<string>()
  for (let round = 0; round < rounds; round++) {
    for (let turn = 0; turn < names.length; turn++) {
      const name = names[(turn + round) % names.length]!
      if (tooSlow.has(name)) continue
      const began = performance.now()
      results.get(name)!.push(measureInTime(name, size, due, leads))
      if (performance.now() - began > PATIENCE_MS) tooSlow.add(name)
    }
  }
  return results
}

/** A contender that still registers when the minute begins gets more time in the next round. */
function measureInTime(name: string, size: number, due: number, leads: Map<string, number>): Result {
  for (;;) {
    const began = performance.now()
    const result = measure(name, size, due, leads.get(name) ?? FIRST_LEAD_MS)
    if (result.inTime) return result
    leads.set(name, 2 * (performance.now() - began))
  }
}

function measure(name: string, size: number, due: number, leadMs: number): Result {
  const flags = ['--conditions=kron-source', '--expose-gc', '--max-old-space-size=8000']
  const args = [...flags, child, name, size, due, leadMs].map(String)
  const env = { ...process.env, TZ: 'Europe/Paris' }
  // Some complain of every start that comes too late.
  const stdio: StdioOptions = ['ignore', 'pipe', 'ignore']
  const { stdout, status } = spawnSync(process.execPath, args, { env, stdio, encoding: 'utf8' })
  if (status !== 0) throw new Error(`${name} with ${size} tasks failed with ${status}`)
  return JSON.parse(stdout) as Result
}

export type Figure = (result: Result) => number

export const middle = (results: Results, name: string, figure: Figure): number =>
  median(results.get(name)!.map(figure))

/** How many times Kron's figure a contender's is: of the rounds that both have. */
export function timesKron(results: Results, name: string, figure: Figure): Ratio {
  const [ours, theirs] = [results.get('Kron')!, results.get(name)!]
  const ratios = theirs.map((result, round) => figure(result) / Math.max(figure(ours[round]!), 1e-6))
  return { median: median(ratios), least: Math.min(...ratios), most: Math.max(...ratios) }
}
