import { jobsText } from '../model/format.ts'
import type { Shown } from '../model/job-filter.ts'
import { Notice } from './notice.tsx'

const NONE: Readonly<Record<Shown, string>> = {
  all: 'No job matches',
  failing: 'No job is in trouble',
  running: 'Nothing runs at the moment',
  paused: 'No job is paused',
}

interface NoJobsProps {
  readonly total: number
  readonly shown: Shown
  readonly query: string
}

/** Why a list of jobs is empty, and what to do about it. */
export const NoJobs = ({ total, shown, query }: NoJobsProps) =>
  total === 0 ? (
    <Notice title="No jobs are defined">
      Write a job file and reload krond: krontab add, then krond reload.
    </Notice>
  ) : (
    <Notice title={query === '' ? NONE[shown] : NONE.all}>
      Change the search or the filter; {jobsText(total)} in all.
    </Notice>
  )
