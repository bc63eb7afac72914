import { printInstant } from '@kron/core'
import type { Entry } from '@kron/host'
import { nominalOf } from '../driver/attempt.ts'
import type { Driver } from '../driver/driver.ts'
import type { ListenerStatus } from '../http/listener.ts'

/** The status that a running daemon reports. */
export interface Status {
  readonly pid: number
  readonly startedAt: string
  readonly jobs: number
  readonly suspended: number
  readonly running: readonly {
    readonly identity: string
    readonly periodId: string
    readonly pid: number
    readonly startedAt: string
    readonly adopted: boolean
  }[]
  /** Starts that wait for a place. */
  readonly queue: readonly { readonly identity: string; readonly periodId: string }[]
  /** The next starts, soonest first. */
  readonly next: readonly { readonly identity: string; readonly at: string }[]
  /** The last reload was refused, and no later one has succeeded. */
  readonly refusedReload?: { readonly at: string; readonly mistakes: number } | undefined
  /** Job files left out because of a mistake. */
  readonly refusedFiles: readonly string[]
  /** Null if krond was not told to listen. */
  readonly listener: ListenerStatus | null
  /** Why no job starts; null if they do. */
  readonly startsStopped: string | null
  /** The last jump of the clock since the start: when it was noticed, and by how much; negative: it was set back. */
  readonly clockJump?: { readonly at: string; readonly byMs: number } | undefined
  /** The clock was ahead: the number of jobs whose periods were reopened since the start, and when that was last. */
  readonly clockWasAhead?: { readonly jobs: number; readonly at: string } | undefined
}

/** Facts for the status that the driver itself does not know. */
export type About = Pick<Status, 'pid' | 'refusedFiles' | 'listener' | 'startsStopped' | 'refusedReload'> & {
  readonly startedAt: number
}

const SHOWN = 10

export function statusOf(
  driver: Driver,
  about: About,
  /** Which jobs the asker may see. */
  isVisible: (entry: Entry) => boolean = () => true,
): Status {
  const { jobs } = driver
  const next: { identity: string; at: number }[] = []
  let suspended = 0
  let count = 0
  for (const slot of jobs.slots()) {
    const entry = jobs.entry(slot)!
    if (!isVisible(entry)) continue
    count++
    const at = driver.nextTrigger(slot)
    if (entry.schedule.policy.suspend) suspended++
    if (at === undefined || (next.length === SHOWN && at >= next.at(-1)!.at)) continue
    next.push({ identity: entry.identity, at })
    next.sort((a, b) => a.at - b.at)
    next.length = Math.min(next.length, SHOWN)
  }
  return {
    pid: about.pid,
    startedAt: printInstant(Math.floor(about.startedAt / 1_000)),
    jobs: count,
    suspended,
    running: driver
      .running()
      .filter(({ entry }) => isVisible(entry))
      .map(({ entry, periodId, pid, startedAt, adopted }) => ({
        identity: entry.identity,
        periodId,
        pid,
        startedAt: printInstant(Math.floor(startedAt / 1_000)),
        adopted,
      })),
    queue: driver.waiting
      .filter(({ entry }) => isVisible(entry))
      .map(attempt => ({ identity: attempt.entry.identity, periodId: printInstant(nominalOf(attempt)!) })),
    next: next.map(({ identity, at }) => ({ identity, at: printInstant(at) })),
    refusedFiles: about.refusedFiles,
    listener: about.listener,
    startsStopped: about.startsStopped,
    ...(driver.clockJump !== undefined && {
      clockJump: { at: printInstant(driver.clockJump.at), byMs: driver.clockJump.byMs },
    }),
    ...(driver.reopenedAt !== undefined && {
      clockWasAhead: { jobs: driver.reopenedJobs, at: printInstant(driver.reopenedAt) },
    }),
    ...(about.refusedReload === undefined ? {} : { refusedReload: about.refusedReload }),
  }
}
