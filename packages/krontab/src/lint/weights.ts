import { dirname } from 'node:path'
import { decide, fallbackOfDecision, next, printInstant, type Weights, weightsOf } from '@kron/core'
import type { Curves, Entry } from '@kron/host'
import { type Finding, type Warning, warningAt } from './finding.ts'
import { lineReader } from './line-reader.ts'

/** The number of coming periods whose windows are looked at. */
const PERIODS = 32

/** Weights that a job cannot use, so that it spreads evenly over its window. */
export function weightsWarnings(
  entries: readonly Entry[],
  text: string,
  at: number,
  curves: Curves,
): Warning[] {
  const lines = lineReader(text)
  return entries.flatMap(entry => {
    const weights = weightsOf(entry.schedule)
    const found = weights && (problemOf(entry, weights, curves) ?? uncovered(entry, weights, at))
    return found === undefined
      ? []
      : [warningAt(entry, 'weights', { part: 'dist', ...found }, lines(entry.line))]
  })
}

function problemOf(entry: Entry, { file }: Weights, curves: Curves): Omit<Finding, 'part'> | undefined {
  const problem = curves.find(dirname(entry.path), file).problem
  if (problem === undefined) return undefined
  return { message: `${problem.message}; the job spreads evenly over its window`, hint: problem.hint }
}

/** A curve of instants must cover the next window; a curve of the day must have some weight in every window. */
function uncovered(entry: Entry, { file }: Weights, at: number): Omit<Finding, 'part'> | undefined {
  const { cron, zone } = entry.schedule
  let nominal = next(cron, zone, at)
  for (let looked = 0; nominal !== undefined && looked < PERIODS; looked++) {
    const fallback = fallbackOfDecision(decide(entry, nominal))
    const period = `the window of ${printInstant(nominal)}`
    if (fallback === 'stale' && looked === 0)
      return {
        message: `the weights "${file}" do not cover ${period}, which is spread evenly`,
        hint: `refresh weights/${file}.csv, then run krond reload`,
      }
    if (fallback === 'empty')
      return {
        message: `the weights "${file}" are all 0 in ${period}, which is spread evenly`,
        hint: `give a part of the window a weight above 0 in weights/${file}.csv`,
      }
    nominal = next(cron, zone, nominal)
  }
  return undefined
}
