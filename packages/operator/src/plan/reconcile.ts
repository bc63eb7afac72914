import { calendarDigests, type Job, KronError } from '@kron/core'
import { type KronJob, keyOf } from '../manifest/kronjob.ts'
import { jobOf, parseSpec, printFieldFault, salted } from '../manifest/parse.ts'
import { NO_FILES, needsFiles, weightsDigestOf } from '../manifest/schedule-files.ts'
import type { Holding } from './conditions.ts'
import { beyondHistory } from './history.ts'
import { notesOf, troubleNote } from './notes.ts'
import { isAnnounced, periodSteps } from './period-steps.ts'
import type { Effect, Observed, Plan } from './plan.ts'
import { replacementOf } from './replacing.ts'
import { resultsOf } from './results.ts'
import { statusOf, stuckStatus } from './status.ts'

/** Computes the plan for one KronJob. This is a pure function; the controller carries out the plan. */
export function reconcile(observed: Observed): Plan {
  const { kronJob, block } = observed
  if (kronJob.metadata.deletionTimestamp !== undefined) {
    return { status: kronJob.status ?? {}, effects: [], outcomes: [], notes: [] }
  }
  const spec = parseSpec(kronJob.spec)
  const read = spec.ok ? (observed.files ?? NO_FILES).complete(spec.schedule) : spec
  if (!read.ok) {
    const message = read.faults.map(printFieldFault).join('\n')
    return stuck(observed, { InvalidSpec: { reason: 'Rejected', message } })
  }
  if (block?.failure.reason === 'TemplateRefused') return stuck(observed, { InvalidSpec: block.failure })
  try {
    const job = jobOf(keyOf(kronJob), salted(read.schedule, observed.salt))
    const catchUp = observed.catchUp || hasOtherFiles(kronJob, job)
    return pursue({ ...observed, catchUp }, job)
  } catch (error) {
    if (!(error instanceof KronError)) throw error
    // The engine cannot continue with the content of the status. No period is handled, and a person is notified.
    const why = { reason: error.category, message: error.message }
    return stuck(observed, { SchedulingError: why, Stalled: why })
  }
}

/** Whether other calendars or weights decide now than at the last reconciliation. Periods may have passed meanwhile. */
function hasOtherFiles({ status = {} }: KronJob, { schedule }: Job): boolean {
  if (!needsFiles(schedule)) return false
  const before = versionsOf(status.calendars, status.weightsDigest)
  return (
    before !== versionsOf(calendarDigests(schedule), weightsDigestOf(schedule)) ||
    (status.conditions ?? []).some(each => each.type === 'InvalidSpec' && each.status === 'True')
  )
}

/** The API server keeps no order of keys. */
const versionsOf = (calendars: Readonly<Record<string, string>> = {}, weights = ''): string =>
  JSON.stringify([Object.entries(calendars).sort(([a], [b]) => (a < b ? -1 : 1)), weights])

function pursue(observed: Observed, job: Parameters<typeof periodSteps>[0]): Plan {
  const { kronJob, jobs, now } = observed
  const steps = periodSteps(job, observed)
  const replacement = replacementOf(kronJob, steps, jobs, now)
  const isWritten = isAnnounced(steps, kronJob)
  // Results are reported when the status that counts them is written.
  const results = resultsOf(kronJob.status ?? {}, isWritten ? [] : jobs)
  return {
    status: isWritten ? kronJob.status! : statusOf(observed, job, steps, results, replacement?.holding ?? {}),
    effects: [...steps.effects, ...forgotten(observed)],
    outcomes: steps.outcomes,
    ...(steps.unseen && { unseen: steps.unseen }),
    ...(results.fresh.length > 0 && { results: results.fresh }),
    notes: notesOf(observed, steps, results.fresh, replacement),
    ...wakeOf(now, steps.wakeAt, replacement?.stuckAt, observed.block?.until),
  }
}

function wakeOf(now: number, ...times: (number | undefined)[]): { wakeAt?: number } {
  const wakeAt = Math.min(...times.filter(each => each !== undefined && each > now).map(Number))
  return wakeAt === Number.POSITIVE_INFINITY ? {} : { wakeAt }
}

const forgotten = ({ kronJob, jobs }: Observed): Effect[] =>
  beyondHistory(jobs, kronJob.spec.history).map(job => ({ kind: 'forget', job }))

/** The plan for a KronJob that cannot be scheduled. Its Jobs are still managed, but no period starts. */
function stuck(observed: Observed, holding: Holding): Plan {
  const { kronJob, jobs, block, now } = observed
  const results = resultsOf(kronJob.status ?? {}, jobs)
  return {
    status: stuckStatus(observed, results, holding),
    effects: holding.InvalidSpec ? forgotten(observed) : [],
    outcomes: [],
    ...(results.fresh.length > 0 && { results: results.fresh }),
    notes: troubleNote(kronJob, holding),
    ...wakeOf(now, block?.until),
  }
}
