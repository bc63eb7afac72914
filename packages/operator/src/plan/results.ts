import { parseInstant, printInstant } from '@kron/core'
import type { KronJobStatus } from '../manifest/kronjob.ts'
import type { ObservedJob } from './job.ts'
import type { JobResult } from './plan.ts'

type ResultStatus = Pick<
  KronJobStatus,
  'lastSuccessfulTime' | 'lastFailureTime' | 'consecutiveFailures' | 'lastFinishedUIDs'
>

export interface Results {
  /** The Jobs that ended since the status was written, ordered by end time. */
  readonly fresh: readonly JobResult[]
  readonly status: ResultStatus
}

/** The results of the Jobs: those already in the status, and the new ones. */
export function resultsOf(status: KronJobStatus, jobs: readonly ObservedJob[]): Results {
  const { lastSuccessfulTime, lastFailureTime, lastFinishedUIDs = [] } = status
  const latest = Math.max(secondsOf(lastSuccessfulTime), secondsOf(lastFailureTime))
  const ended = jobs.flatMap(job => (job.finished ? [{ job, ...job.finished }] : []))
  const fresh = ended
    .filter(({ job, at }) => at > latest || (at === latest && !lastFinishedUIDs.includes(job.uid)))
    .sort((a, b) => a.at - b.at || (a.job.name < b.job.name ? -1 : 1))
  if (fresh.length === 0) return { fresh, status: known(status) }
  const last = fresh.at(-1)!.at
  const counted = [
    ...(last === latest ? lastFinishedUIDs : []),
    ...fresh.filter(e => e.at === last).map(e => e.job.uid),
  ]
  const success = fresh.filter(each => each.succeeded).at(-1)?.at
  const failure = fresh.filter(each => !each.succeeded).at(-1)?.at
  const since = fresh.findLastIndex(each => each.succeeded)
  const before = since === -1 ? (status.consecutiveFailures ?? 0) : 0
  return {
    fresh,
    status: {
      ...known(status),
      ...(success !== undefined && { lastSuccessfulTime: printInstant(success) }),
      ...(failure !== undefined && { lastFailureTime: printInstant(failure) }),
      consecutiveFailures: before + fresh.length - 1 - since,
      lastFinishedUIDs: counted,
    },
  }
}

function known({
  lastSuccessfulTime,
  lastFailureTime,
  consecutiveFailures,
  lastFinishedUIDs,
}: KronJobStatus): ResultStatus {
  return {
    ...(lastSuccessfulTime !== undefined && { lastSuccessfulTime }),
    ...(lastFailureTime !== undefined && { lastFailureTime }),
    ...(consecutiveFailures !== undefined && { consecutiveFailures }),
    ...(lastFinishedUIDs !== undefined && { lastFinishedUIDs }),
  }
}

function secondsOf(time: string | undefined): number {
  const read = parseInstant(time ?? '')
  return read.ok ? read.value : Number.NEGATIVE_INFINITY
}
