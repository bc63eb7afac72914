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

/** The rules for reading the schedule of a registration. */
export interface ScheduleRules {
  /** `posix`: a cron expression of five fields, as in the specification. `kron`: the full schedule language. */
  readonly schedules: 'posix' | 'kron'
  /** The first part of a task's identity; the second is its name. The identity decides the task's seconds. */
  readonly namespace: string
  /** An IANA name. The default is the host's zone, or UTC for `kron`. */
  readonly timeZone?: string
}

export const POSIX_RULES: ScheduleRules = { schedules: 'posix', namespace: 'default' }

/** A schedule that tasks share. 100,000 tasks rarely have more than a few hundred schedules. */
export interface TaskSchedule {
  readonly expression: string
  readonly cron: Cron
  /** Present if the schedule was written in the full language. */
  readonly schedule?: Schedule
}

export const identityOf = ({ namespace }: ScheduleRules, taskName: string): string =>
  `${namespace}/${taskName}`

/** The zone of schedules that name none. Undefined if it depends on the host. */
export const fixedZone = ({ schedules, timeZone }: ScheduleRules): Zone | undefined => {
  if (timeZone !== undefined) return findZone(timeZone)
  return schedules === 'kron' ? UTC : undefined
}

/** The persisted schedule. Undefined if it can no longer be parsed. */
export function rereadSchedule(expression: string, rules: ScheduleRules): TaskSchedule | undefined {
  if (rules.schedules === 'posix') {
    const cron = parseCron(expression, 'posix')
    return cron.ok ? { expression, cron: cron.value } : undefined
  }
  const parsed = parseSchedule(expression, fixedZone(rules))
  return parsed.ok ? { expression, cron: parsed.value.cron, schedule: parsed.value } : undefined
}

/** Whether each task of this schedule has its own second. */
export const isSpread = ({ schedule }: TaskSchedule): boolean =>
  schedule !== undefined && schedule.window.duration > 0

/** The occurrences of a task with this schedule. `zone` is the host's zone, for schedules that depend on it. */
export function occurrencesOf({ cron, schedule }: TaskSchedule, zone: Zone, identity: string): Occurrences {
  if (schedule === undefined) return new CronOccurrences(cron, zone)
  if (schedule.window.duration === 0 && schedule.constraints === DEFAULTS.constraints)
    return new CronOccurrences(cron, schedule.zone, deadlineOf(schedule))
  const job: Job = { identity, schedule }
  return new DecidedOccurrences(job, deadlineOf(schedule))
}

/** Core's deadline in milliseconds. No deadline means infinite here, because a missed occurrence is still owed. */
const deadlineOf = ({ policy }: Schedule): number =>
  policy.deadline === 0 ? Number.POSITIVE_INFINITY : Math.floor(policy.deadline / 1_000_000)
