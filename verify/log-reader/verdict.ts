import type { Slots } from './clock.ts'
import { type MedianInterval, median, medianInterval } from './statistics.ts'
import { JOBS, type Reader, type Result } from './variant.ts'

/** A reader is found to delay starts if the whole interval of the median difference lies above this. */
export const LATER_MS = 1

/** One comparison of all daemons. */
export interface Round {
  readonly minutes: readonly number[]
  readonly slots: Pick<Slots, 'dueAt' | 'periodOf'>
  readonly slotOf: ReadonlyMap<Reader, number>
  readonly results: readonly Result[]
}

export interface Verdict {
  readonly reader: Reader
  readonly isControl: boolean
  readonly starts: number
  readonly missed: number
  readonly twice: number
  readonly droppedLines: number | undefined
  /** Median of all minutes. */
  readonly latenessMs: number
  /** The median start of a minute, minus that of the daemon whose log is read. */
  readonly difference: MedianInterval
  readonly isLater: boolean
  readonly problems: readonly string[]
}

export function verdictOf(reader: Reader, rounds: readonly Round[]): Verdict {
  const results = rounds.map(({ results }) => results.find(each => each.reader === reader)!)
  const lateness = rounds.flatMap(round => latenessOf(reader, round))
  const baseline = rounds.flatMap(round => latenessOf('reads', round))
  const difference = medianInterval(lateness.map((each, n) => each - baseline[n]!))
  if (difference === undefined) throw new Error('too few minutes for an interval')
  const times = rounds.flatMap(round => startsOf(reader, round))
  const [missed, twice] = [times.filter(each => each.length === 0), times.filter(each => each.length > 1)]
  const counts = results.map(each => each.droppedLines)
  const isControl = reader.startsWith('control')
  const isLater = difference.lower > LATER_MS
  const problems = isControl
    ? isLater
      ? []
      : ['this delay was not noticed']
    : [
        ...(isLater ? ['starts are later'] : []),
        ...(missed.length > 0 ? [`${missed.length} starts are missing`] : []),
        ...(counts.includes(0) ? ['dropped lines were not counted'] : []),
        ...(results.every(each => each.answersStatus) ? [] : ['status is not answered']),
        ...(results.every(each => each.exitCode === 0) ? [] : ['SIGTERM did not end it in order']),
      ]
  return {
    reader,
    isControl,
    starts: times.length - missed.length,
    missed: missed.length,
    twice: twice.length,
    droppedLines: counts.includes(undefined)
      ? undefined
      : counts.reduce((sum = 0, each = 0) => sum + each, 0),
    latenessMs: median(lateness),
    difference,
    isLater,
    problems: [...problems, ...(twice.length > 0 ? [`${twice.length} periods ran twice`] : [])],
  }
}

/** The times of the starts of every job in every measured minute. */
const startsOf = (reader: Reader, { minutes, slots, results }: Round): (readonly number[])[] => {
  const { starts } = results.find(each => each.reader === reader)!
  return minutes.flatMap(minute =>
    Array.from({ length: JOBS }, (_, n) => starts.get(`job${n} ${slots.periodOf(minute)}`) ?? []),
  )
}

/** For every minute, by how much the median of its starts was late; a start that never came is infinitely late. */
function latenessOf(reader: Reader, round: Round): readonly number[] {
  const { minutes, slots, slotOf } = round
  const times = startsOf(reader, round)
  return minutes.map((minute, n) => {
    const due = slots.dueAt(slotOf.get(reader)!, minute)
    return median(times.slice(n * JOBS, (n + 1) * JOBS).map(([first = Infinity]) => first - due))
  })
}
