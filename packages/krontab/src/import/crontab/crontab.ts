import { Remarks } from '@kron/cli'
import { type CrontabLine, readCrontabLine, readVariable, splitInput, type UserAccount } from '@kron/host'
import type { ImportedJob, Piece } from '../imported.ts'
import { nameOfCommand } from '../name.ts'
import { runOf } from './command.ts'
import { type CronKind, type Environment, initialEnvironment, withVariable } from './environment.ts'
import { mistakesOf } from './mistakes.ts'
import { type Moment, readMoment } from './moment.ts'
import { conditionsOfLine, settingsOfLine } from './settings.ts'

/** A user of the host, with all groups. */
export interface KnownUser extends UserAccount {
  readonly groups: readonly number[]
}

export interface CrontabOptions {
  /** Whether a user column follows the time fields, as in /etc/crontab and /etc/cron.d. */
  readonly withUser: boolean
  /** The zone cron runs in. */
  readonly zone: string
  /** The owner of a user's crontab; undefined means the user who runs krond. */
  readonly owner?: string | undefined
  /** The cron that read the file; Debian's unless given. */
  readonly kind?: CronKind
  /** The salt of windows that differ from host to host. */
  readonly salt?: string
  /** A user of this host; without a name, the user who runs krond. */
  findUser(name: string | undefined): KnownUser | undefined
}

/** Seconds. Cron also starts a job at any time within its minute. */
const DEADLINE = 60

/** Every line of a crontab as a piece of a job file. */
export function convertCrontab(file: string, text: string, options: CrontabOptions): Piece[] {
  const { kind = 'debian' } = options
  const mistakes = kind === 'debian' ? mistakesOf(text, options) : []
  if (mistakes.length > 0) return ignoredFile(file, text, mistakes)
  const pieces: Piece[] = []
  let environment = initialEnvironment(options.zone)
  const lines = text.replace(/^\uFEFF/, '').split('\n')
  if (lines.at(-1) === '') lines.pop()
  for (const [i, raw] of lines.entries()) {
    const remarks = new Remarks(file)
    const line = raw.endsWith('\r') ? raw.slice(0, -1) : raw
    if (line !== raw) remarks.changed(i + 1, 'the line ends with a carriage return, which is left out')
    const trimmed = line.trim()
    let job: ImportedJob | undefined
    if (trimmed.startsWith('#')) pieces.push({ kind: 'comment', text: trimmed })
    else if (trimmed.includes('\uFFFD')) remarks.lost(i + 1, 'the line is not UTF-8, and job files are')
    else if (trimmed !== '') {
      const variable = readVariable(trimmed)
      if (variable !== undefined) environment = withVariable(environment, variable, i + 1, remarks, kind)
      else job = convertLine(trimmed, file, i + 1, environment, options, remarks)
    }
    for (const remark of remarks.list) pieces.push({ kind: 'remark', remark })
    if (job !== undefined) pieces.push({ kind: 'job', job })
  }
  return pieces
}

/** The lines become comments: Debian's cron runs none of them, and neither does krond. */
function ignoredFile(
  file: string,
  text: string,
  mistakes: readonly { readonly line: number; readonly message: string }[],
): Piece[] {
  const remarks = new Remarks(file)
  const why = "Debian's cron ignores the whole file because of this line, so none of its lines is imported"
  for (const [i, { line, message }] of mistakes.entries())
    remarks.lost(line, i === 0 ? `${message}; ${why}` : message)
  return [
    ...remarks.list.map((remark): Piece => ({ kind: 'remark', remark })),
    ...text
      .split('\n')
      .filter(line => line.trim() !== '')
      .map((line): Piece => ({ kind: 'comment', text: `# ${line.trim()}` })),
  ]
}

function convertLine(
  text: string,
  file: string,
  number: number,
  environment: Environment,
  options: CrontabOptions,
  remarks: Remarks,
): ImportedJob | undefined {
  const line = readCrontabLine(text, options.withUser)
  if (typeof line === 'string') return remarks.lost(number, `${text}: ${line}`)
  const moment = line.isReboot ? REBOOT : readMoment(line.fields)
  const why = typeof moment === 'string' ? moment : whyNot(line, moment, environment, options)
  if (typeof moment === 'string' || why !== undefined) return remarks.lost(number, `${text}: ${why}`)
  remark(line, moment, number, remarks)
  const { command, shell } = runOf(line.command, environment.shell)
  return {
    file,
    line: number,
    wish: nameOfCommand(splitInput(line.command).command),
    timing: {
      cron: moment.cron,
      zone: environment.zone,
      window: moment.spread + environment.randomDelay * 60,
      ...(options.salt === undefined ? {} : { salt: options.salt }),
      only: moment.only,
      concurrency: 'allow',
      deadline: DEADLINE,
    },
    command,
    shell,
    settings: settingsOfLine(line, number, environment, options, remarks),
    original: {
      kind: 'cron',
      fields: moment.fields,
      macro: line.schedule.startsWith('@'),
      zone: environment.zone,
    },
    conditions: conditionsOfLine(line, environment, options),
  }
}

const REBOOT = '@reboot has no time: let krond read the crontab itself, or the service manager start it'

/** The reason why a line with these times cannot be carried over. */
function whyNot(
  { command }: CrontabLine,
  { spread, only, lastMinute }: Moment,
  { randomDelay }: Environment,
  { kind = 'debian' }: CrontabOptions,
): string | undefined {
  if (command === '') return 'there is no command'
  if (spread > 0 && kind === 'debian')
    return "only cronie draws a value for ~, Debian's cron takes the first: write which, or use --cron cronie"
  if (only.length > 0 && lastMinute * 60 + spread + randomDelay * 60 >= 86_400)
    return 'both day fields must match and the window passes midnight, which a job file cannot express'
  return undefined
}

function remark(line: CrontabLine, moment: Moment, number: number, remarks: Remarks): void {
  for (const message of moment.changed) remarks.changed(number, message)
  if (line.quiet) remarks.changed(number, 'the leading - kept cron from logging it; krond logs every start')
  if (/^-[nqs]+\s/.test(line.command))
    remarks.changed(number, 'flags before the command (-n, -q, -s) are known to BSD crons only')
  const parts = /\brun-parts\b.*?(\/[^\s;)]+)/.exec(line.command)
  if (parts !== null) {
    remarks.changed(
      number,
      `run-parts starts the scripts of ${parts[1]} one after the other as one job; give each a line of its own to spread them`,
    )
  }
}
