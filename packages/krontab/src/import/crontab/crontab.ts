import { Remarks } from '@kron/cli'
import { UTC } from '@kron/core'
import { type CrontabLine, parseCrontab, readCrontabLine, readVariable, splitInput } from '@kron/host'
import type { ImportedJob, Piece, Setting } from '../imported.ts'
import { nameOfCommand } from '../name.ts'
import { runOf } from './command.ts'
import { type Environment, initialEnvironment, withVariable } from './environment.ts'
import { type Moment, readMoment } from './moment.ts'

export interface CrontabOptions {
  /** Whether a user column follows the time fields, as in /etc/crontab and /etc/cron.d. */
  readonly withUser: boolean
  /** The zone cron runs in. */
  readonly zone: string
  /** The owner of a user's crontab; undefined means the user who runs krond. */
  readonly owner?: string | undefined
  /** The home directory of a user; without one, of the user who runs krond. */
  home(user: string | undefined): string | undefined
}

/** Seconds. Cron also starts a job at any time within its minute. */
const DEADLINE = 60
/** The default that cron sets if the crontab does not. */
const CRON_PATH = '/usr/bin:/bin'

const UNMAILED =
  'cron mails what the lines print to their user, because MAILTO is not set; jobs of a job file send no mail'
const IGNORED =
  "Debian's cron ignores a file with a mistake as a whole: with it, the lines that are carried over did not run"

/** Every line of a crontab as a piece of a job file. */
export function convertCrontab(file: string, text: string, options: CrontabOptions): Piece[] {
  const pieces: Piece[] = []
  let environment = initialEnvironment(options.zone)
  let isMailKnown = false
  const mistake = firstMistake(text, options)
  const lines = text.replace(/^\uFEFF/, '').split('\n')
  const complete = lines.at(-1) === ''
  if (complete) lines.pop()
  for (const [i, raw] of lines.entries()) {
    const remarks = new Remarks(file)
    const line = raw.endsWith('\r') ? raw.slice(0, -1) : raw
    if (line !== raw) remarks.changed(i + 1, 'the line ends with a carriage return, which is left out')
    if (!complete && i === lines.length - 1)
      remarks.changed(i + 1, 'the last line has no line end: cron would ignore it, the import does not')
    const trimmed = line.trim()
    let job: ImportedJob | undefined
    if (trimmed.startsWith('#')) pieces.push({ kind: 'comment', text: trimmed })
    else if (trimmed.includes('\uFFFD')) remarks.lost(i + 1, 'the line is not UTF-8, and job files are')
    else if (trimmed !== '') {
      const variable = readVariable(trimmed)
      if (variable !== undefined) environment = withVariable(environment, variable, i + 1, remarks)
      else job = convertLine(trimmed, file, i + 1, environment, options, remarks)
      isMailKnown ||= variable?.name === 'MAILTO'
      if (job !== undefined && !isMailKnown) {
        isMailKnown = true
        remarks.changed(i + 1, UNMAILED)
      }
    }
    if (mistake === i + 1) remarks.changed(i + 1, IGNORED)
    for (const remark of remarks.list) pieces.push({ kind: 'remark', remark })
    if (job !== undefined) pieces.push({ kind: 'job', job })
  }
  return pieces
}

/** The first line that cron itself would refuse, counted from 1. */
function firstMistake(text: string, { withUser, owner = 'user' }: CrontabOptions): number | undefined {
  const { faults } = parseCrontab(text.endsWith('\n') ? text : `${text}\n`, '/crontab', {
    owner: withUser ? undefined : owner,
    zone: UTC,
    windowNs: 0,
    uid: 0,
    findUser: name => ({ name, uid: 0, gid: 0, home: '/', shell: '/bin/sh' }),
    listScripts: undefined,
  })
  return faults.find(({ message }) => !NOT_OF_DEBIAN.test(message))?.line
}

/** Mistakes in settings that Debian's cron ignores. */
const NOT_OF_DEBIAN = /CRON_TZ|RANDOM_DELAY|UTF-8/

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
  if (line.isReboot)
    return remarks.lost(
      number,
      `${text}: @reboot has no time: let krond read the crontab itself, or the service manager start it`,
    )
  const moment = readMoment(line.fields)
  if (typeof moment === 'string') return remarks.lost(number, `${text}: ${moment}`)
  const window = moment.spread + environment.randomDelay * 60
  if (moment.only.length > 0 && moment.lastMinute * 60 + window >= 86_400) {
    return remarks.lost(
      number,
      `${text}: both day fields must match and the window passes midnight, which a job file cannot express`,
    )
  }
  remark(line, moment, number, remarks)
  const { command, shell } = runOf(line.command, environment.shell)
  return {
    file,
    line: number,
    wish: nameOfCommand(splitInput(line.command).command),
    timing: {
      cron: moment.cron,
      zone: environment.zone,
      window,
      only: moment.only,
      concurrency: 'allow',
      deadline: DEADLINE,
    },
    command,
    shell,
    settings: settingsOf(line, number, environment, options, remarks),
    original: {
      kind: 'cron',
      fields: line.fields,
      macro: line.schedule.startsWith('@'),
      zone: environment.zone,
    },
  }
}

function remark(line: CrontabLine, moment: Moment, number: number, remarks: Remarks): void {
  for (const message of moment.changed) remarks.changed(number, message)
  if (line.quiet) remarks.changed(number, 'the leading - kept cron from logging it; krond logs every start')
  const parts = /\brun-parts\b.*?(\/[^\s;)]+)/.exec(line.command)
  if (parts !== null) {
    remarks.changed(
      number,
      `run-parts starts the scripts of ${parts[1]} one after the other as one job; give each a line of its own to spread them`,
    )
  }
}

function settingsOf(
  line: CrontabLine,
  number: number,
  environment: Environment,
  options: CrontabOptions,
  remarks: Remarks,
): Setting[] {
  const settings: Setting[] = []
  const [, user = options.owner, group, loginClass] =
    /^([^:/]+)(?::([^/]+))?(?:\/(.+))?$/.exec(line.user ?? '') ?? []
  if (loginClass !== undefined) remarks.lost(number, `the login class ${loginClass} has no counterpart`)
  if (user !== undefined) settings.push(['user', user])
  if (group !== undefined) settings.push(['group', group])
  const home = environment.home ?? options.home(user)
  if (home === undefined)
    remarks.lost(
      number,
      `the home directory of ${user ?? 'the user'} is not known here, so cwd= is not set; cron would start it there`,
    )
  else if (home.startsWith('/')) settings.push(['cwd', home])
  else remarks.lost(number, `HOME=${home} is not an absolute path, so cwd= is not set`)
  // With user= krond sets PATH; otherwise the job would inherit the daemon's own.
  if (user === undefined && !environment.variables.some(([name]) => name === 'PATH'))
    settings.push(['env', `PATH=${CRON_PATH}`])
  for (const [name, value] of environment.variables) settings.push(['env', `${name}=${value}`])
  if (environment.silent) settings.push(['stdout', 'discard'], ['stderr', 'discard'])
  return settings
}
