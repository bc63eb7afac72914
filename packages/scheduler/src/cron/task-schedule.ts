import {
  type Cron,
  DEFAULTS,
  findZone,
  type Job,
  parseCron,
  parseSchedule,
  type Schedule,
  UTC,
  type Zone,
} from '@kron/core'
import { DecidedOccurrences } from './decided-occurrences.ts'
import { CronOccurrences, type Occurrences } from './occurrences.ts'

/** How the second place of a registration is read. */
export interface ScheduleRules {
  /** `posix`: a cron expression of five fields, as the specification has it. `kron`: the whole language of schedules. */
  readonly schedules: 'posix' | 'kron'
  /** With a task's name, the identity under which its seconds are chosen. */
  readonly namespace: string
  /** IANA name; the host's zone, or UTC for `kron`, if it is absent. */
  readonly timeZone?: string
}

export const POSIX_RULES: ScheduleRules = { schedules: 'posix', namespace: 'default' }

/** A schedule that tasks share: 100,000 tasks rarely have more than a few hundred. */
export interface TaskSchedule {
  readonly expression: string
  readonly cron: Cron
  /** Present if it was written in the whole language. */
  readonly schedule?: Schedule
}

export const identityOf = ({ namespace }: ScheduleRules, taskName: string): string =>
  `${namespace}/${taskName}`

/** The zone of texts that name none, where it does not depend on the host. */
export const fixedZone = ({ schedules, timeZone }: ScheduleRules): Zone | undefined => {
  if (timeZone !== undefined) return findZone(timeZone)
  return schedules === 'kron' ? UTC : undefined
}

/** The schedule that was persisted, if it can still be read. */
export function rereadSchedule(expression: string, rules: ScheduleRules): TaskSchedule | undefined {
  if (rules.schedules === 'posix') {
    const cron = parseCron(expression, 'posix')
    return cron.ok ? { expression, cron: cron.value } : undefined
  }
  const parsed = parseSchedule(expression, fixedZone(rules))
  return parsed.ok ? { expression, cron: parsed.value.cron, schedule: parsed.value } : undefined
}

/** Whether tasks of this schedule have seconds of their own. */
export const isSpread = ({ schedule }: TaskSchedule): boolean =>
  schedule !== undefined && schedule.window.duration > 0

/** When a task of this schedule is due. `zone`: the host's, for a text that speaks of it. */
export function occurrencesOf({ cron, schedule }: TaskSchedule, zone: Zone, identity: string): Occurrences {
  if (schedule === undefined) return new CronOccurrences(cron, zone)
  if (schedule.window.duration === 0 && schedule.constraints === DEFAULTS.constraints)
    return new CronOccurrences(cron, schedule.zone, deadlineOf(schedule))
  const job: Job = { identity, schedule }
  return new DecidedOccurrences(job, deadlineOf(schedule))
}

/** Core's deadline in milliseconds; none is for ever here, where a missed occurrence is owed. */
const deadlineOf = ({ policy }: Schedule): number =>
  policy.deadline === 0 ? Number.POSITIVE_INFINITY : Math.floor(policy.deadline / 1_000_000)
