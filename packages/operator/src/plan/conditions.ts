import { printInstant } from '@kron/core'
import type { Condition, ConditionType, KronJob } from '../manifest/kronjob.ts'

/** A condition that holds, with why; one that is not named does not hold. */
export type Holding = Partial<Record<Exclude<ConditionType, 'Ready'>, { reason: string; message: string }>>

const TYPES = ['Ready', 'InvalidSpec', 'SchedulingError', 'Unschedulable', 'Suspended'] as const

export function conditionsOf(kronJob: KronJob, holding: Holding, now: number): Condition[] {
  const before = kronJob.status?.conditions ?? []
  const blocked = holding.InvalidSpec ?? holding.SchedulingError
  return TYPES.map(type => {
    const held = type === 'Ready' ? (blocked ? undefined : READY) : holding[type]
    const status = held === undefined ? 'False' : 'True'
    const known = before.find(each => each.type === type)
    const fallback = type === 'Ready' && blocked ? blocked : { reason: `Not${type}`, message: '' }
    return {
      type,
      status,
      ...(held ?? fallback),
      lastTransitionTime: known?.status === status ? known.lastTransitionTime : printInstant(now),
      observedGeneration: kronJob.metadata.generation ?? 0,
    }
  })
}

const READY = { reason: 'Scheduling', message: '' }

/** A condition that held before, to be kept while nothing has changed it. */
export function stillHolding(kronJob: KronJob, type: Exclude<ConditionType, 'Ready'>): Holding {
  const known = kronJob.status?.conditions?.find(each => each.type === type)
  return known?.status === 'True' ? { [type]: { reason: known.reason, message: known.message } } : {}
}
