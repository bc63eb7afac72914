import {
  type Decision,
  decide,
  endOffset,
  type Job,
  next,
  parseScheduleHead,
  type Schedule,
  startOffset,
} from '@kron/core'

import { filesVersion, withFiles, zoneNamed } from './schedule-files.ts'

const jobs = new Map<string, Job | undefined>()
let version = 0

/** The job behind an identity and a schedule text; undefined if this console's engine cannot read it. */
export function jobOf(identity: string, schedule: string): Job | undefined {
  if (version !== filesVersion()) jobs.clear()
  version = filesVersion()
  const key = `${identity}\n${schedule}`
  if (!jobs.has(key)) jobs.set(key, readJob(identity, schedule))
  return jobs.get(key)
}

function readJob(identity: string, text: string): Job | undefined {
  const { schedule, end } = parseScheduleHead(text, undefined, zoneNamed)
  const whole = schedule === undefined || end < text.length ? undefined : withFiles(identity, schedule)
  return whole === undefined ? undefined : { identity, schedule: whole }
}

/** The periods whose window touches [from, to], at most `most` of them. */
export function periodsIn(job: Job, from: number, to: number, most: number): Decision[] {
  const { cron, zone, window } = job.schedule
  const lead = startOffset(window)
  const found: Decision[] = []
  let nominal = next(cron, zone, from - endOffset(window) - 1)
  while (nominal !== undefined && nominal + lead <= to && found.length < most) {
    found.push(decide(job, nominal))
    nominal = next(cron, zone, nominal)
  }
  return found
}

/** The nominal times in [from, to]: much cheaper than their decisions. */
export function nominalsIn({ cron, zone }: Schedule, from: number, to: number): number[] {
  const found: number[] = []
  let nominal = next(cron, zone, from - 1)
  while (nominal !== undefined && nominal <= to) {
    found.push(nominal)
    nominal = next(cron, zone, nominal)
  }
  return found
}
