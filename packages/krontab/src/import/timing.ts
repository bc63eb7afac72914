import { printDuration, SECOND } from '@kron/core'

/** The schedule of an imported job while it is built. Durations in seconds. */
export interface Timing {
  readonly cron: string
  readonly zone: string
  readonly window: number
  /** For windows that differ from host to host: `%m` or `%H`. */
  readonly salt?: string
  /** Clauses of `@only`, for rules that cron's day fields cannot express. */
  readonly only: readonly string[]
  readonly concurrency: 'allow' | 'forbid'
  readonly deadline: number
}

export function timingText({ cron, zone, window, salt, only, concurrency, deadline }: Timing): string {
  const parts = [cron]
  if (zone !== 'UTC') parts.push(`@tz(${zone})`)
  if (window > 0) parts.push(`@win(after,${printDuration(window * SECOND)})`)
  if (window > 0 && salt !== undefined) parts.push(`@seed(stable,salt=${salt})`)
  const rules = []
  if (concurrency !== 'forbid') rules.push(`concurrency=${concurrency}`)
  if (deadline > 0) rules.push(`deadline=${printDuration(deadline * SECOND)}`)
  if (rules.length > 0) parts.push(`@policy(${rules.join(',')})`)
  if (only.length > 0) parts.push(`@only(${only.join(';')})`)
  return parts.join(' ')
}
