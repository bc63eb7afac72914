import type { JobRecord } from '../api/records.ts'
import { secondsOf } from './instant.ts'
import { type JobState, jobState } from './job-state.ts'
import { nextStart } from './next-start.ts'
import type { World } from './world.ts'

/** The columns of the table of jobs, with their titles. */
export const TITLES = {
  state: 'state',
  name: 'job',
  last: 'last',
  next: 'next',
  success: 'success rate',
  duration: 'duration',
} as const
export type Column = keyof typeof TITLES
export const COLUMNS = Object.keys(TITLES) as readonly Column[]

export interface Order {
  readonly column: Column
  readonly descending: boolean
}

/** `next`, or `-next` for the other way round. */
export function parseOrder(text: string | undefined): Order {
  const descending = text?.startsWith('-') ?? false
  const name = descending ? text!.slice(1) : text
  return { column: COLUMNS.find(each => each === name) ?? 'name', descending }
}

export const printOrder = ({ column, descending }: Order): string => `${descending ? '-' : ''}${column}`

const STATES: readonly JobState[] = ['failing', 'running', 'waiting', 'paused', 'suspended', 'new']

/** The value a job is sorted by; undefined if it has none, and then it comes last either way. */
function sortKey(world: World, job: JobRecord, column: Column): number | string | undefined {
  switch (column) {
    case 'state':
      return STATES.indexOf(jobState(world, job))
    case 'name':
      return job.name
    case 'last':
      // The latest first: it is the one that people look for.
      return negative(secondsOf(world.lastOf(job)?.at))
    case 'next':
      return nextStart(job, world.now())
    case 'success':
      return job.recent === null || job.recent.runs === 0 ? undefined : job.recent.succeeded / job.recent.runs
    case 'duration':
      return negative(job.recent?.durationsMs.at(-1))
  }
}

const negative = (value: number | undefined): number | undefined => (value === undefined ? undefined : -value)

/** Sorted; jobs that are equal keep their order, which is by name. */
export function ordered(
  world: World,
  jobs: readonly JobRecord[],
  { column, descending }: Order,
): readonly JobRecord[] {
  const sign = descending ? -1 : 1
  return jobs
    .map(job => ({ job, value: sortKey(world, job, column) }))
    .sort(({ value: a }, { value: b }) => {
      if (a === undefined || b === undefined) return a === b ? 0 : a === undefined ? 1 : -1
      return a === b ? 0 : sign * (a < b ? -1 : 1)
    })
    .map(({ job }) => job)
}
