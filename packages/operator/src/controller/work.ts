import type { Block } from '../plan/plan.ts'
import { reconcile } from '../plan/reconcile.ts'
import { showsRefusal } from '../plan/template.ts'
import { canWait } from '../plan/waiting.ts'
import type { Reason } from './agenda/work-queue.ts'
import { type Context, secondsOf } from './context.ts'
import { filesOf, observe } from './observe/observation.ts'
import { carryOut } from './write/effects.ts'
import { statusPatch } from './write/status-patch.ts'
import { writeStatus } from './write/status-write.ts'
import { checkTemplate } from './write/template-check.ts'

/** More rounds than this for one key mean that two writers conflict. Other keys go first then. */
const MOST_ROUNDS = 50

/**
 * The work on one KronJob: observe, plan, write the status, carry out the effects, set the next timer. It ends early in
 * two cases. `outcomeWaits`: only the outcome of the last start is left to write, and that can wait. `setTimerFirst`: the
 * KronJob is new, edited or was unwatched, so it gets its timer now and everything else later. Returns true if a Job was
 * refused. It is tried again after a pause.
 */
export async function workOn(key: string, reason: Reason, context: Context): Promise<boolean> {
  const { clock, memory } = context
  const now = reason.wokenAt ?? secondsOf(clock)
  if (await outcomeWaits(key, reason, context)) return false
  const wasUnwatched = memory.pendingOutcomes.take(key) || reason.catchUp === true
  if (await setTimerFirst(key, reason, wasUnwatched, now, context)) return false
  const visit: Visit = { key, now, wasUnwatched, blockBefore: memory.blocks.of(key) }
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const end = await workRound(visit, context)
    if (end !== 'again') return end === 'refused'
  }
  throw new Error(`the status of ${key} keeps changing under the operator`)
}

/** One visit of a worker to a KronJob; it may take several rounds. */
interface Visit {
  readonly key: string
  readonly now: number
  /** Whether periods may have passed while nobody watched. */
  readonly wasUnwatched: boolean
  readonly blockBefore: Block | undefined
  /** The generation whose template is checked: the KronJob may be edited between two rounds. */
  checkedGeneration?: number | undefined
}

/** Plans once and carries the plan out. `again`: the status was changed by somebody, or an effect calls for a new plan. */
async function workRound(visit: Visit, context: Context): Promise<'done' | 'refused' | 'again'> {
  const { key, now, wasUnwatched, blockBefore } = visit
  const { kronJobs, memory, agenda } = context
  const { blocks } = memory
  const wasRefused = (): boolean => blocks.of(key) !== undefined && blocks.of(key) !== blockBefore
  const kronJob = kronJobs.get(key)
  if (kronJob === undefined) {
    memory.forget(key)
    agenda.setTimer(key, undefined)
    return 'done'
  }
  if (visit.checkedGeneration !== kronJob.metadata.generation)
    await checkTemplate(kronJob, await filesOf(kronJob, context), context)
  visit.checkedGeneration = kronJob.metadata.generation
  // A block may have lasted for several periods. Only the last of them starts.
  const catchUp = wasUnwatched || (blockBefore !== undefined && blocks.of(key) === undefined)
  const plan = reconcile(await observe(kronJob, { catchUp, isFreshBlock: wasRefused(), now }, context))
  if (!(await writeStatus(kronJob, plan, context))) return 'again'
  if (plan.effects.length === 0) {
    agenda.setTimer(key, plan.wakeAt)
    return wasRefused() ? 'refused' : 'done'
  }
  for (const effect of plan.effects) if (!wasRefused()) await carryOut(key, effect, context)
  const start = plan.effects.find(each => each.kind === 'create')
  if (start === undefined || wasRefused()) return 'again'
  letOutcomeWait(key, start.job.metadata.name, catchUp, now, context)
  return 'done'
}

/**
 * The start is announced and done. Its outcome is written later. The next timer is set as soon as the key has its turn
 * again (`outcomeWaits`), because other starts may wait for this worker.
 */
function letOutcomeWait(key: string, jobName: string, catchUp: boolean, now: number, context: Context): void {
  const { memory, agenda } = context
  memory.pendingOutcomes.add(key, { jobName, catchUp, now }, () =>
    agenda.add(key, catchUp ? { catchUp } : {}),
  )
  agenda.add(key)
}

/** Whether the outcome of the last start waits. It does not after a timer, an edit or the end of the Job. */
async function outcomeWaits(key: string, { wokenAt, catchUp }: Reason, context: Context): Promise<boolean> {
  const { kronJobs, jobs, agenda } = context
  const { pendingOutcomes } = context.memory
  if (wokenAt !== undefined || catchUp || !pendingOutcomes.has(key)) return false
  const kronJob = kronJobs.get(key)
  if (kronJob === undefined || kronJob.metadata.generation !== kronJob.status?.observedGeneration)
    return false
  const outcome = pendingOutcomes.waiting(key, jobs.of(kronJob))
  if (outcome === undefined) return false
  if (!agenda.hasTimer(key)) {
    const observed = await observe(kronJob, { ...outcome, isFreshBlock: false }, context)
    agenda.setTimer(key, reconcile(observed).wakeAt)
  }
  return true
}

/**
 * Sets the timer of a KronJob that is new, was edited or may have been unwatched for a while, if nothing of it is due.
 * Its dry run and its status may then wait until every other KronJob has its timer: thousands of them take minutes.
 * If the timer rings first, the KronJob is handled at once and its start is announced then.
 */
async function setTimerFirst(
  key: string,
  reason: Reason,
  catchUp: boolean,
  now: number,
  context: Context,
): Promise<boolean> {
  const { kronJobs, memory, agenda } = context
  if (reason.wokenAt !== undefined || reason.timerAt !== undefined) return false
  const kronJob = kronJobs.get(key)
  if (kronJob === undefined) return false
  const isNew = kronJob.metadata.generation !== kronJob.status?.observedGeneration
  // An edit may end a block, and only a dry run tells.
  if ((!isNew && !catchUp) || memory.blocks.of(key) !== undefined) return false
  const plan = reconcile(await observe(kronJob, { catchUp, isFreshBlock: false, now }, context))
  if (!canWait(plan, kronJob, now)) return false
  agenda.setTimer(key, plan.wakeAt)
  const isDone = !isNew && plan.effects.length === 0 && !showsRefusal(kronJob)
  if (isDone && statusPatch(kronJob.status ?? {}, plan.status) === undefined) return true
  agenda.add(key, { ...(catchUp && { catchUp }), timerAt: plan.wakeAt ?? Number.POSITIVE_INFINITY })
  return true
}
