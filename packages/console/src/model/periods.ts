import {
  type Decision,
  decide,
  endOffset,
  type Job,
  next,
  parseSchedule,
  type Schedule,
  startOffset,
} from '@kron/core'

const jobs = new Map<string, Job | undefined>()

/** The job behind an identity and a schedule text; undefined if this console's engine cannot read it. */
export function jobOf(identity: string, schedule: string): Job | undefined {
  const key = `${identity}\n${schedule}`
  if (!jobs.has(key)) {
    const parsed = parseSchedule(schedule)
    jobs.set(key, parsed.ok ? { identity, schedule: parsed.value } : undefined)
  }
  return jobs.get(key)
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
