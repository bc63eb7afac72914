import { printInstant } from '@kron/core'
import type { OutcomeRecord } from '../api/records.ts'
import { secondsOf } from '../model/instant.ts'
import { jobOf, periodsIn } from '../model/periods.ts'
import { jobRoute } from '../route.ts'
import { barOf } from './bar.ts'
import type { RowFacts } from './hit.ts'

/** Something of a row that the keyboard can reach. */
export interface Mark {
  /** Epoch seconds. */
  readonly at: number
  /** The page that tells more of it. */
  readonly href: string
}

/** More starts ahead than this are not offered one by one. */
const MOST_PERIODS = 1_000

/** The outcomes, runs and planned starts of a row in [from, to], in the order of time. */
export function marksOf(
  { job, outcomes, running, now }: RowFacts,
  from: number,
  to: number,
): readonly Mark[] {
  const { identity } = job
  const parsed = jobOf(identity, job.schedule)
  const ahead =
    parsed === undefined || parsed.schedule.policy.suspend
      ? []
      : periodsIn(parsed, Math.max(now, from), to, MOST_PERIODS)
  return [
    ...outcomes.map(each => ({ at: barOf(each).from, href: hrefOf(each) })),
    ...running.map(({ startedAt, executionId }) => ({
      at: secondsOf(startedAt) ?? now,
      href: jobRoute(identity, { run: executionId }),
    })),
    ...ahead.flatMap(({ chosen, nominal }) =>
      chosen === null || chosen <= now
        ? []
        : [{ at: chosen, href: jobRoute(identity, { why: printInstant(nominal) }) }],
    ),
  ]
    .filter(({ at }) => at >= from && at <= to)
    .sort((a, b) => a.at - b.at)
}

const hrefOf = ({ identity, runId, periodId }: OutcomeRecord): string =>
  jobRoute(identity, runId !== null ? { run: runId } : periodId !== null ? { why: periodId } : {})

/** The mark after or before a time; undefined if there is none. */
export const stepped = (marks: readonly Mark[], at: number, step: 1 | -1): Mark | undefined =>
  step === 1 ? marks.find(mark => mark.at > at) : marks.findLast(mark => mark.at < at)
