import { type Constraints, printConstraints, UNCONSTRAINED } from '../constraint/constraints.ts'
import type { Cron } from '../cron/cron.ts'
import { printCron } from '../cron/print.ts'
import type { Distribution } from '../distribution/distribution.ts'
import { printDistribution } from '../distribution/parameters.ts'
import { UNIFORM } from '../distribution/uniform.ts'
import { type Seed, STABLE_SEED } from '../seed/seed.ts'
import { printDuration } from '../time/duration.ts'
import { DEFAULT_POLICY, type Policy } from '../turn/policy.ts'
import { UTC, type Zone } from '../zone/zone.ts'
import { NO_WINDOW, type Window } from './window.ts'

/** When a job runs: everything of a definition that decides or judges a period. */
export interface Schedule {
  readonly cron: Cron
  readonly zone: Zone
  readonly window: Window
  readonly distribution: Distribution
  readonly seed: Seed
  readonly policy: Policy
  readonly constraints: Constraints
}

/** A schedule and the stable name under which its periods are decided. */
export interface Job {
  readonly identity: string
  readonly schedule: Schedule
}

/** The defaults of a schedule. Jobs share these objects, which saves memory. */
export const DEFAULTS: Omit<Schedule, 'cron'> = {
  zone: UTC,
  window: NO_WINDOW,
  distribution: UNIFORM,
  seed: STABLE_SEED,
  policy: DEFAULT_POLICY,
  constraints: UNCONSTRAINED,
}

/** The canonical text: cron, then every modifier that is not the default. */
export function printSchedule(schedule: Schedule): string {
  const { cron, zone, window, distribution, seed, policy, constraints } = schedule
  const parts = [printCron(cron)]
  if (zone.name !== 'UTC') parts.push(`@tz(${zone.name})`)
  if (window.mode !== 'after' || window.duration !== 0) {
    parts.push(`@win(${window.mode},${printDuration(window.duration)})`)
  }
  if (distribution.name !== 'uniform') parts.push(`@dist(${printDistribution(distribution)})`)
  if (seed.strategy !== 'stable' || seed.salt !== '') parts.push(`@seed(${printSeed(seed)})`)
  const rules = printPolicy(policy)
  if (rules !== '') parts.push(`@policy(${rules})`)
  const clauses = printConstraints(constraints)
  if (clauses !== '') parts.push(clauses)
  return parts.join(' ')
}

function printSeed({ strategy, salt }: Seed): string {
  if (salt === '') return strategy
  return `${strategy},salt=${printSalt(salt)}`
}

/** A salt as it is written in a schedule: bare where it can be, otherwise in quotes. */
export const printSalt = (salt: string): string =>
  /^[^\s",()\\]+$/.test(salt) ? salt : `"${salt.replace(/["\\]/g, '\\$&')}"`

function printPolicy(policy: Policy): string {
  const rules = []
  if (policy.concurrency !== DEFAULT_POLICY.concurrency) rules.push(`concurrency=${policy.concurrency}`)
  if (policy.deadline !== 0) rules.push(`deadline=${printDuration(policy.deadline)}`)
  if (policy.suspend) rules.push('suspend=true')
  return rules.join(',')
}
