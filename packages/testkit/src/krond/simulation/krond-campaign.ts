import { History, type HistoryOptions } from './history.ts'
import { Violation } from './invariant.ts'
import { noTally, type Tally } from './tally.ts'

/** One in this many histories is simulated twice. */
const TWICE = 20

/** Simulates one history; returns its violations, which should be none. */
export async function simulateKrond(
  seed: number,
  span: number,
  tally: Tally = noTally(),
  options: HistoryOptions = {},
): Promise<readonly Violation[]> {
  const history = new History(seed, tally, options)
  await history.live(span)
  if (history.witness.violations.length > 0 || seed % TWICE !== 0) return history.witness.violations
  return compareRetention(seed, span, options)
}

/** The length of the kept history must not change the runs: compares no history with a long one. */
export async function compareRetention(
  seed: number,
  span: number,
  options: HistoryOptions = {},
): Promise<readonly Violation[]> {
  const [none, much] = [0, 50].map(kept => new History(seed, noTally(), { ...options, kept }))
  await none!.live(span, () => false)
  await much!.live(span, () => false)
  const differs = much!.started.findIndex((start, index) => start !== none!.started[index])
  if (differs === -1 && none!.started.length === much!.started.length) return []
  const what = `start ${differs} is ${none!.started[differs]} without history, ${much!.started[differs]} with it`
  return [new Violation(['STATE 7'], what)]
}
