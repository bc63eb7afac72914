import { type JobManifest, observeJob } from '../../plan/job.ts'
import type { Effect } from '../../plan/plan.ts'
import { reportBlock } from '../../report/reports.ts'
import { type Context, secondsOf } from '../context.ts'
import { type Creation, NotLeading } from './writer.ts'

/** Carries out an effect of a plan whose status is written, and remembers the answer. */
export async function carryOut(key: string, effect: Effect, context: Context): Promise<void> {
  if (effect.kind === 'create') return create(key, effect, context)
  const { writer, jobs } = context
  const { job, kind } = effect
  const dying = await writer.deleteJob(job, kind === 'replace' ? 'Foreground' : 'Background')
  if (dying !== undefined) return jobs.put(dying)
  jobs.remove({ metadata: { ...job, resourceVersion: '', creationTimestamp: '' } })
}

type Create = Extract<Effect, { kind: 'create' }>

async function create(key: string, { job, chosen }: Create, context: Context): Promise<void> {
  const { jobs, metrics, clock } = context
  const { announcedJobs, blocks } = context.memory
  const creation = await request(key, job, context)
  if ('failure' in creation) {
    const { failure } = creation
    if (failure.certain) announcedJobs.refused(key, job.metadata.name)
    return reportBlock(key, blocks.add(key, failure, secondsOf(clock)), context)
  }
  announcedJobs.created(key, observeJob(creation.job))
  blocks.end(key)
  jobs.put(creation.job)
  if (!creation.isNew) return
  metrics.jobsCreated.add()
  metrics.lateness.observe(Math.max(0, clock.now() / 1000 - chosen))
}

async function request(key: string, job: JobManifest, { writer, memory }: Context): Promise<Creation> {
  memory.announcedJobs.sent(key, job.metadata.name)
  try {
    return await writer.createJob(job)
  } catch (error) {
    // Without the lease nothing is sent.
    if (error instanceof NotLeading) memory.announcedJobs.refused(key, job.metadata.name)
    throw error
  }
}
