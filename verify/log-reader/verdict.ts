import { ranTwice } from '@kron/testkit/once/once'
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
  /** Starts of periods that had started before. */
  readonly twice: number
  readonly droppedLines: number | undefined
  /** Median of all minutes. */
  readonly latenessMs: number
  /** The median start of a minute, minus that of the daemons whose logs are read. */
  readonly difference: MedianInterval
  readonly isLater: boolean
  /** All but periods that ran twice, which `twice` counts. */
  readonly problems: readonly string[]
}

/** The daemons whose logs are read, with the same set-up. */
const READING: readonly Reader[] = ['reads', 'reads too']

export function verdictOf(reader: Reader, rounds: readonly Round[]): Verdict {
  const results = rounds.map(({ results }) => results.find(each => each.reader === reader)!)
  const lateness = rounds.flatMap(round => latenessOf(reader, round))
  const baseline = rounds.flatMap(round => baselineOf(reader, round))
  const difference = medianInterval(lateness.map((each, n) => each - baseline[n]!))
  if (difference === undefined) throw new Error('too few minutes for an interval')
  const times = rounds.flatMap(round => startsOf(reader, round))
  const missed = times.filter(each => each.length === 0)
  const twice = ranTwice(times.flatMap((starts, n) => starts.map(() => `period ${n}`)))
  const counts = results.map(each => each.droppedLines)
  const isControl = reader.startsWith('control')
  const isLater = difference.lower > LATER_MS
  const problems = isControl
    ? [
        ...(isLater ? [] : ['this delay was not noticed']),
        // A daemon that crashed would be late, too.
        ...(rounds.every(round => hasStartedBefore(reader, round)) ? [] : ['it started nothing before']),
        ...(results.every(each => each.isAlive) ? [] : ['it ended before it was told to']),
      ]
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
    problems,
  }
}

/** The mean of the reading daemons, minute by minute; one of them is compared with the other. */
function baselineOf(reader: Reader, round: Round): readonly number[] {
  const others = READING.filter(each => each !== reader).map(each => latenessOf(each, round))
  return round.minutes.map((_, n) => others.reduce((sum, each) => sum + each[n]!, 0) / others.length)
}

/** Whether every job ran in some minute before the measured ones, when the log was not full yet. */
function hasStartedBefore(reader: Reader, { minutes, slots, results }: Round): boolean {
  const { starts } = results.find(each => each.reader === reader)!
  const before = Array.from({ length: minutes[0]! }, (_, minute) => slots.periodOf(minute))
  return Array.from({ length: JOBS }, (_, n) => before.some(each => starts.has(`job${n} ${each}`))).every(
    Boolean,
  )
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
