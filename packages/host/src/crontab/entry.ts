import type { Schedule } from '@kron/core'
import { Entry, type Settings } from '../job-file/entry.ts'

/** How cron runs the command of a crontab line. */
export interface CrontabRun {
  readonly user: string
  /** The program that gets `-c` and the command. */
  readonly shell: string
  /** Standard input: the part of the line after an unescaped `%`. */
  readonly input: string | undefined
  /** The whole environment. */
  readonly variables: Readonly<Record<string, string>>
  /** The address to which cron would mail the output; null: none. */
  readonly mail: CrontabMail | null
}

export interface CrontabMail {
  readonly to: string
  readonly from: string | undefined
  readonly contentType: string | undefined
  readonly transferEncoding: string | undefined
}

/** A line of a crontab as a job. */
export class CrontabEntry extends Entry {
  readonly crontab: CrontabRun

  constructor(
    identity: string,
    schedule: Schedule,
    command: string,
    settings: Settings,
    line: number,
    crontab: CrontabRun,
  ) {
    super(identity, schedule, command, true, settings, '', line)
    this.crontab = crontab
  }

  override withSchedule(schedule: Schedule): CrontabEntry {
    const { identity, command, settings, line, crontab } = this
    return new CrontabEntry(identity, schedule, command, settings, line, crontab)
  }
}
