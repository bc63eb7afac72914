import { type KronJob, keyOf } from '../../manifest/kronjob.ts'
import { namesFiles } from '../../manifest/schedule-files.ts'
import { isAhead } from '../../plan/announcement.ts'
import { mayBeCollected } from '../../plan/intent.ts'
import type { Observed } from '../../plan/plan.ts'
import type { Context } from '../context.ts'

type Moment = Required<Pick<Observed, 'catchUp' | 'isFreshBlock' | 'now'>>

/** Gathers everything that is known about one KronJob. */
export async function observe(
  kronJob: KronJob,
  { catchUp, isFreshBlock, now }: Moment,
  context: Context,
): Promise<Observed> {
  const { metadata, status } = kronJob
  const { jobs, salt } = context
  const { announcedJobs, blocks } = context.memory
  announcedJobs.noteAhead(kronJob, now)
  const created = announcedJobs.createdFor(kronJob)
  if (!announcedJobs.isCertainlyAbsent(kronJob) && !created) await findAnnounced(kronJob, now, context)
  const block = blocks.of(keyOf(kronJob))
  const files = await filesOf(kronJob, context)
  return {
    kronJob,
    jobs: jobs.of(kronJob),
    ...(block && { block, isFreshBlock }),
    certainlyAbsent: announcedJobs.isCertainlyAbsent(kronJob),
    ...(created && { created }),
    catchUp: catchUp || metadata.generation !== status?.observedGeneration,
    ...(salt !== undefined && { salt }),
    ...(files && { files }),
    now,
  }
}

/** The calendars and weights of the namespace, if the KronJob names any. */
export async function filesOf(kronJob: KronJob, { files }: Context): Promise<Observed['files']> {
  return namesFiles(kronJob) ? files?.of(kronJob.metadata.namespace) : undefined
}

/** Looks for an announced Job that the watch has not shown. Its absence must be certain before the next step. */
async function findAnnounced(kronJob: KronJob, now: number, context: Context): Promise<void> {
  const { writer, jobs, memory } = context
  const intent = kronJob.status?.intent
  if (!intent || intent.replacing || isAhead(kronJob, now)) return
  if (jobs.of(kronJob).some(each => each.name === intent.jobName)) return
  const found = await writer.readJob(kronJob.metadata.namespace, intent.jobName)
  if (found !== undefined) jobs.put(found)
  else if (!mayBeCollected(kronJob, intent, now))
    memory.announcedJobs.notFound(keyOf(kronJob), intent.jobName)
}
