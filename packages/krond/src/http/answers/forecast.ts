import {
  addToForecast,
  emptyForecast,
  type Forecast,
  loadRecordOf,
  minutesPerDay,
  printDuration,
  printInstant,
  SECOND,
} from '@kron/core'
import { concerns, type Entry, type Pause } from '@kron/host'
import type { ForecastRecord } from '@kron/host/api'
import { nativeHash } from '../../native-hash.ts'
import type { Query } from '../query.ts'
import { Refusal } from '../refusal.ts'
import type { Work } from '../slices.ts'
import type { Subject } from '../subject.ts'

const DAY = 86_400
const MOST_BUCKETS = 2_016
const KEPT = 8
const PERIODS_AT_ONCE = 120

/** Forecasts of all jobs; a recent one is reused, and requests at the same time share one. */
export class Forecasts {
  readonly #made = new Map<string, Promise<object>>()

  answer(subject: Subject, query: Query, run: <T>(work: Work<T>) => Promise<T>): Promise<object> {
    const length = query.duration('for', 60, 7 * DAY, DAY)
    const bucket = query.duration('bucket', 1, DAY, 300)
    if (length / bucket > MOST_BUCKETS)
      throw new Refusal(400, `more than ${MOST_BUCKETS} buckets`, 'choose a longer bucket or a shorter time')
    const now = subject.now()
    const from = now - (now % bucket)
    const pauses = subject.operations?.pauses() ?? []
    const pauseIds = pauses.map(each => each.id)
    const key = [length, bucket, from, subject.ledger.configuration, ...pauseIds].join()
    const known = this.#made.get(key)
    if (known !== undefined) return known
    const fresh = run(forecast(subject, pauses, { from, length, bucket }))
    this.#made.set(key, fresh)
    fresh.catch(() => this.#made.delete(key))
    for (const old of this.#made.keys()) if (this.#made.size > KEPT) this.#made.delete(old)
    return fresh
  }
}

interface Span {
  readonly from: number
  readonly length: number
  readonly bucket: number
}

function* forecast(
  { jobs }: Subject,
  everyPause: readonly Pause[],
  { from, length, bucket }: Span,
): Work<ForecastRecord> {
  const whole = emptyForecast(from, from + length, bucket)
  let counted = 0
  let lost = 0
  for (const slot of jobs.slots()) {
    const entry = jobs.entry(slot)
    if (entry === undefined) continue
    counted++
    const pauses = everyPause.filter(each => concerns(each, entry.identity))
    const step = stepOf(entry, bucket)
    for (let start = from; start < whole.to; start += step) {
      const view = part(whole, start, Math.min(whole.to, start + step))
      lost += addToForecast(view, entry, { hash: nativeHash, pauses })
      yield
    }
  }
  return forecastRecord(whole, counted, lost)
}

/** The span of a job's time that is computed in one step: its whole week could take longer than a slice may. */
function stepOf({ schedule }: Entry, bucket: number): number {
  const seconds = (DAY * PERIODS_AT_ONCE) / Math.max(1, minutesPerDay(schedule.cron))
  return Math.max(1, Math.floor(seconds / bucket)) * bucket
}

/** A view of some of the buckets; additions to the view are additions to the whole. */
function part({ from, bucket, spread, plain }: Forecast, start: number, end: number): Forecast {
  const first = (start - from) / bucket
  const last = first + Math.ceil((end - start) / bucket)
  return {
    from: start,
    to: end,
    bucket,
    spread: spread.subarray(first, last),
    plain: plain.subarray(first, last),
  }
}

function forecastRecord(
  { from, to, bucket, spread, plain }: Forecast,
  jobs: number,
  lost: number,
): ForecastRecord {
  const startOf = (index: number): string => printInstant(from + index * bucket)
  return {
    from: printInstant(from),
    to: printInstant(to),
    bucket: printDuration(bucket * SECOND),
    jobs,
    lostToPauses: lost,
    kron: loadRecordOf(spread, from, bucket),
    plain: loadRecordOf(plain, from, bucket),
    buckets: Array.from(spread, (kron, i) => ({ start: startOf(i), kron, plain: plain[i]! })),
  }
}
