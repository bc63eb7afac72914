import { type Fault, MINUTE, parseScheduleHead, type Schedule, SECOND, type Zone } from '@kron/core'

/** A comment such as `# kron: name=backup @win(after,15m)` on the line above an entry. */
export interface KronRemark {
  readonly name: string | undefined
  /** The modifiers as they are written, and their meaning. */
  readonly modifiers: string
  readonly schedule: Schedule
  readonly faults: readonly Fault[]
}

const REMARK = /^#\s*kron:\s*(.*)$/
const NAME = /(?:^|\s)name=(\S*)/
/** Put in front of the modifiers for parsing, because they cannot stand alone. */
const ANY_CRON = '0 0 1 1 *'

/** Undefined if the comment is not meant for Kron. */
export function readRemark(line: string, zone: Zone): KronRemark | undefined {
  const text = REMARK.exec(line)?.[1]
  if (text === undefined) return undefined
  const name = NAME.exec(text)?.[1]
  const modifiers = text.replace(NAME, ' ').trim()
  const head = `${ANY_CRON} ${modifiers}`
  const { schedule, faults, end } = parseScheduleHead(head, zone)
  const at = Math.max(0, line.indexOf(modifiers))
  const found: Fault[] = faults.map(fault => ({
    ...fault,
    at: Math.max(at, at + fault.at - ANY_CRON.length - 1),
  }))
  const refuse = (message: string, hint: string): void => {
    found.push({ category: 'ConfigurationError', message, hint, at, length: 0 })
  }
  if (name !== undefined && !/^[a-z0-9/-]+$/.test(name))
    refuse(`${JSON.stringify(name)} is not a job name`, 'use a-z, 0-9, - and /')
  if (faults.length === 0 && end < head.length)
    refuse(
      `unexpected ${JSON.stringify(head.slice(end))}`,
      'write name=NAME and modifiers such as @win(after,15m)',
    )
  return { name, modifiers, schedule: schedule ?? EMPTY(zone), faults: found }
}

const EMPTY = (zone: Zone): Schedule => parseScheduleHead(ANY_CRON, zone).schedule!

/** Cron starts every occurrence in its minute, whether or not the one before still runs. */
const CRON_POLICY = { concurrency: 'allow', deadline: MINUTE, suspend: false } as const

export interface CrontabTiming {
  readonly cron: Schedule['cron']
  readonly zone: Zone
  /** Nanoseconds of window that RANDOM_DELAY or --crontab-window asks for. */
  readonly windowNs: number
}

/** The schedule of a line: cron's own rules, and above them those of the remark. */
export function scheduleOf(
  { cron, zone, windowNs }: CrontabTiming,
  remark: KronRemark | undefined,
): Schedule {
  const said = (modifier: string): boolean => remark?.modifiers.includes(`@${modifier}(`) ?? false
  const base = remark?.schedule ?? EMPTY(zone)
  return {
    ...base,
    cron,
    zone: said('tz') ? base.zone : zone,
    window:
      said('win') || cron.reboot
        ? base.window
        : { mode: 'after', duration: Math.floor(windowNs / SECOND) * SECOND },
    policy: said('policy') ? base.policy : CRON_POLICY,
  }
}
