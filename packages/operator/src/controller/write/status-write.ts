import { isConflict, isLost } from '../../cluster/api-error.ts'
import type { KronJob } from '../../manifest/kronjob.ts'
import type { Plan } from '../../plan/plan.ts'
import { reportPlan, reportUnconfirmed } from '../../report/reports.ts'
import type { Context } from '../context.ts'

/** Writes the status of a plan and reports the plan. Returns false if the KronJob has changed meanwhile. */
export async function writeStatus(kronJob: KronJob, plan: Plan, context: Context): Promise<boolean> {
  const { writer, kronJobs, memory } = context
  try {
    const written = await writer.writeStatus(kronJob, plan.status)
    if (written !== undefined) kronJobs.put(written)
    memory.announcedJobs.note(kronJob, plan)
  } catch (error) {
    if (isLost(error)) {
      memory.unconfirmedWrites.add(kronJob, plan)
      reportUnconfirmed(plan, context)
    }
    // A deleted KronJob is tried again until the watch has reported the deletion.
    if (!isConflict(error)) throw error
    await readAgain(kronJob, context)
    return false
  }
  reportPlan(kronJob, plan, context)
  return true
}

/** Reports a plan whose answer was lost, if its status is in the KronJob now. */
export function confirmStatus(key: string, context: Context): void {
  const { kronJobs, memory, agenda } = context
  if (!memory.unconfirmedWrites.has(key)) return
  const written = memory.unconfirmedWrites.settle(key, kronJobs.get(key))
  if (written === undefined) return
  if (agenda.isOpen) memory.announcedJobs.note(written.kronJob, written.plan)
  reportPlan(written.kronJob, written.plan, context)
}

async function readAgain(kronJob: KronJob, { writer, kronJobs }: Context): Promise<void> {
  const fresh = await writer.read(kronJob)
  if (fresh.metadata.uid !== kronJob.metadata.uid) kronJobs.remove(kronJob)
  kronJobs.put(fresh)
}
