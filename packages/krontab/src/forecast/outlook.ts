import { type Forecast, loadRecordOf, printDuration, printInstant, SECOND } from '@kron/core'
import type { Pause } from '@kron/host'
import type { FleetCount } from '../fleet/fleet-forecast.ts'
import type { BusyMinute } from './busiest.ts'

/** A forecast with its inputs. */
export interface Outlook {
  readonly forecast: Forecast
  readonly jobs: number
  readonly capacity: number | undefined
  readonly busiest: readonly BusyMinute[]
  /** The pauses in force or planned in this time, and the number of starts they cost; such starts are not in the forecast. */
  readonly pauses?: { readonly all: readonly Pause[]; readonly lost: number }
  /** The count for several hosts; undefined: one host. */
  readonly fleet?: FleetCount
}

/** The buckets with more starts than the capacity. */
export const bucketsAbove = ({ spread }: Forecast, capacity: number): number[] =>
  Array.from(spread.keys()).filter(i => spread[i]! > capacity)

/** The outlook as JSON; fields that are undefined are left out. */
export function outlookDocument({ forecast, jobs, capacity, busiest, fleet, pauses }: Outlook) {
  const { from, to, bucket, spread, plain } = forecast
  const startOf = (index: number): string => printInstant(from + index * bucket)
  return {
    from: printInstant(from),
    to: printInstant(to),
    bucket: printDuration(bucket * SECOND),
    jobs,
    hosts: fleet?.hosts,
    kron: loadRecordOf(spread, from, bucket),
    plain: loadRecordOf(plain, from, bucket),
    buckets: Array.from(spread, (count, i) => ({ start: startOf(i), kron: count, plain: plain[i]! })),
    busiest: busiest.map(({ minute, ...rest }) => ({ minute: printInstant(minute), ...rest })),
    busiestSeconds: fleet?.busiestSeconds.map(({ second, ...rest }) => ({
      second: printInstant(second),
      ...rest,
    })),
    lostToPauses: pauses?.all.length ? pauses.lost : undefined,
    capacity,
    aboveCapacity: capacity === undefined ? undefined : bucketsAbove(forecast, capacity).map(startOf),
  }
}
