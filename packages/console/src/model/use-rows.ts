import { useMemo } from 'preact/hooks'
import type { JobPage, JobRecord } from '../api/records.ts'
import type { ViewParameters } from '../route.ts'
import { countText, jobsText } from './format.ts'
import { filterJobs, shownOf } from './job-filter.ts'
import { jobState } from './job-state.ts'
import { useAnswer } from './use-answer.ts'
import type { World } from './world.ts'

const MOST_FOUND = 1_000

interface Rows {
  readonly rows: readonly JobRecord[]
  /** How many these are, and of how many if not all are here. */
  readonly head: string
  readonly searching: boolean
}

/** The jobs on show. A console that cannot keep all jobs has krond search for it. */
export function useRows(world: World, parameters: ViewParameters): Rows {
  const shown = shownOf(parameters)
  const query = parameters['q']?.trim() ?? ''
  const asked = world.isPartial && query !== ''
  const found = useAnswer<JobPage>(
    asked ? 'jobs' : undefined,
    { q: query, limit: MOST_FOUND },
    world.jobsVersion,
  )
  const jobs = asked ? found.value?.jobs : world.jobs
  const version = shown === 'all' ? 0 : world.answersVersion + world.running.size
  const rows = useMemo(
    () => filterJobs(jobs ?? [], asked ? '' : query, shown, job => jobState(world, job)),
    [jobs, asked, query, shown, version],
  )
  const searching = asked && found.value === undefined && found.problem === undefined
  const head = found.value === undefined ? headText(world, rows.length) : foundText(found.value, rows.length)
  return { rows, head, searching }
}

const foundText = ({ next }: JobPage, shown: number): string =>
  next === null ? jobsText(shown) : `the first ${countText(shown)} found`

function headText({ jobs, status }: World, shown: number): string {
  const partly = status !== undefined && status.jobs > jobs.length
  return partly ? `${jobsText(shown)} of ${countText(status.jobs)}` : jobsText(shown)
}
