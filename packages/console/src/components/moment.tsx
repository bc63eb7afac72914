import { clockText, dayText, momentText, relativeText, type ZoneName } from '../model/format.ts'

/** The zones that the times of a job are shown in, and the clock. */
export interface Zones {
  /** The job's, shown first. */
  readonly zone: ZoneName
  /** The reader's, shown second where its clock shows another time. */
  readonly yours: ZoneName
  /** Epoch seconds. */
  readonly now: number
}

/** An instant in the job's zone, then in the reader's, each with the name of the zone. */
export function Moment({ at, now, zone, yours }: Zones & { readonly at: number }) {
  return (
    <span class="moment">
      <time dateTime={new Date(at * 1_000).toISOString()}>
        {momentText(at, zone)} <small>{zone}</small>
      </time>
      <span class="faint">
        {relativeText(at, now)}
        {isOther(at, zone, yours) && ` · ${yourTime(at, zone, yours)}`}
      </span>
    </span>
  )
}

/** Whether the clocks of two zones show different times at an instant. */
export const isOther = (at: number, zone: ZoneName, yours: ZoneName): boolean =>
  momentText(at, zone) !== momentText(at, yours)

/** `your time 02:14:09 (Europe/Berlin)`, with the day where it is another one. */
const yourTime = (at: number, zone: ZoneName, yours: ZoneName): string => {
  const sameDay = dayText(at, zone) === dayText(at, yours)
  return `your time ${sameDay ? clockText(at, yours) : momentText(at, yours)} (${yours})`
}
