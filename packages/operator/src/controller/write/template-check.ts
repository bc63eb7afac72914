import { type KronJob, keyOf } from '../../manifest/kronjob.ts'
import type { ScheduleFiles } from '../../manifest/schedule-files.ts'
import { sampleJob, showsRefusal } from '../../plan/template.ts'
import { reportBlock } from '../../report/reports.ts'
import { type Context, secondsOf } from '../context.ts'

/** Tries the template in a dry run, if it is new, or if its Jobs were refused and the pause is over. */
export async function checkTemplate(
  kronJob: KronJob,
  files: ScheduleFiles | undefined,
  context: Context,
): Promise<void> {
  const { clock, salt, memory } = context
  const { blocks, dryRuns } = memory
  const key = keyOf(kronJob)
  const isNew = kronJob.metadata.generation !== kronJob.status?.observedGeneration
  const now = secondsOf(clock)
  if (isNew) blocks.end(key)
  else if (!showsRefusal(kronJob) || now < (blocks.of(key)?.until ?? 0)) return
  const sample = sampleJob(kronJob, salt, now, files)
  const failure = sample && (await dryRuns.try(kronJob, sample))
  // A full quota may be free again when the first period comes.
  if (failure === undefined || (isNew && failure.reason === 'QuotaExceeded')) blocks.lift(key)
  else reportBlock(key, blocks.add(key, failure, secondsOf(clock)), context)
}
