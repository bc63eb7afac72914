import { decide, next, parseInstant } from '@kron/core'
import { FAILURE_REASONS } from '../cluster/failure.ts'
import { type KronJob, keyOf } from '../manifest/kronjob.ts'
import { jobOf, parseSpec, salted } from '../manifest/parse.ts'
import { NO_FILES, type ScheduleFiles } from '../manifest/schedule-files.ts'
import { type JobManifest, jobManifest } from './job.ts'

/** The Job to test the template with: the one of the announced period, or of the next. Undefined if there is none. */
export function sampleJob(
  kronJob: KronJob,
  salt: string | undefined,
  now: number,
  files: ScheduleFiles = NO_FILES,
): JobManifest | undefined {
  const spec = parseSpec(kronJob.spec)
  const read = spec.ok ? files.complete(spec.schedule) : spec
  if (!read.ok) return undefined
  const job = jobOf(keyOf(kronJob), salted(read.schedule, salt))
  const announced = parseInstant(kronJob.status?.intent?.periodID ?? '')
  const nominal = announced.ok ? announced.value : next(read.schedule.cron, read.schedule.zone, now)
  return nominal === undefined ? undefined : jobManifest(kronJob, decide(job, nominal))
}

/** Whether the status says that Jobs of the current template are refused. */
export const showsRefusal = ({ status }: KronJob): boolean =>
  status?.conditions?.some(
    ({ type, status: holds, reason }) =>
      holds === 'True' &&
      (type === 'InvalidSpec' || type === 'SchedulingError') &&
      (FAILURE_REASONS as readonly string[]).includes(reason),
  ) ?? false
