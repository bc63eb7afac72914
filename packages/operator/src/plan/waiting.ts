import type { Plan } from './plan.ts'

/**
 * Whether the status of the plan may be written later. That is so if nothing starts or ends, and if a later look at the
 * KronJob leads to the same outcomes.
 */
export const canWait = ({ effects, outcomes, results = [] }: Plan): boolean =>
  effects.every(each => each.kind === 'forget') &&
  outcomes.every(each => each.outcome === 'missed' || each.outcome === 'unschedulable') &&
  results.length === 0
