import { createHash } from 'node:crypto'
import { type Fault, MINUTE, suggestZone, type Zone } from '@kron/core'
import type { UserAccount } from '../account/accounts.ts'
import { DEFAULT_SETTINGS } from '../job-file/entry.ts'
import type { LineFault } from '../job-file/fault.ts'
import { hostZones } from '../zone/host-zones.ts'
import { CrontabEntry } from './entry.ts'
import { type CrontabVariables, environmentOf, mailOf } from './environment.ts'
import { splitInput } from './input.ts'
import { type CrontabLine, readCrontabLine } from './line.ts'
import { type KronRemark, readRemark, scheduleOf } from './remark.ts'
import { cronOf, NEVER } from './schedule.ts'
import { type Script, scriptsOf } from './scripts.ts'
import { readVariable } from './variable.ts'

export interface CrontabOptions {
  /** The owner of the crontab; undefined: a system crontab, whose lines name their users. */
  readonly owner: string | undefined
  /** The zone of the host. */
  readonly zone: Zone
  /** Nanoseconds of window for lines that say nothing else. */
  readonly windowNs: number
  /** The user of the daemon. Unless it is root, it may run only its own jobs. */
  readonly uid: number
  findUser(name: string): UserAccount | undefined
  /** The scripts of a directory such as /etc/cron.daily; undefined: run-parts lines stay one job. */
  readonly listScripts: ((directory: string) => readonly string[]) | undefined
}

export interface Crontab {
  readonly entries: readonly CrontabEntry[]
  /** With any fault, cron ignores the whole file. */
  readonly faults: readonly LineFault[]
  /** Lines and settings that are left out; the other lines still run. */
  readonly refused: readonly LineFault[]
}

const UMASK = 0o022
const DISCARD = { kind: 'discard' } as const
const KEPT_BYTES = 1024 * 1024
const LONGEST_DELAY_MINUTES = 1_440

/** Reads a crontab by cron's rules; `path` is the absolute path that makes the identities. */
export function parseCrontab(text: string, path: string, options: CrontabOptions): Crontab {
  const parser = new Parser(path, options)
  const lines = text.split('\n')
  if (lines.at(-1) === '') lines.pop()
  else
    parser.fault(
      lines.length,
      lines.at(-1)!,
      'the last line has no line end, so cron ignores the file',
      'end it',
    )
  for (const [i, line] of lines.entries()) parser.read(line, i + 1)
  const { faults, refused, entries } = parser
  return { entries: faults.length === 0 ? entries : [], faults, refused }
}

class Parser {
  readonly entries: CrontabEntry[] = []
  readonly faults: LineFault[] = []
  readonly refused: LineFault[] = []
  readonly #path: string
  readonly #options: CrontabOptions
  readonly #names = new Map<string, number>()
  #variables: CrontabVariables = {}
  #zone: Zone
  #delayMinutes = 0
  #remark: KronRemark | undefined

  constructor(path: string, options: CrontabOptions) {
    this.#path = path
    this.#options = options
    this.#zone = options.zone
  }

  read(source: string, number: number): void {
    const line = source.trimStart()
    if (line === '' || line.startsWith('#')) {
      // A remark applies only to the next line.
      this.#remark = readRemark(line, this.#zone)
      for (const fault of this.#remark?.faults ?? []) this.#push(fault, number, source)
      return
    }
    const remark = this.#remark
    this.#remark = undefined
    if (line.includes('\uFFFD'))
      return this.#refuse(number, source, 'the line is not UTF-8 and does not run', 'save it as UTF-8')
    const variable = readVariable(line)
    if (variable?.isBare) {
      const hint = `write ${variable.name}=""`
      this.fault(number, source, `${variable.name} has no value, so cron ignores the file`, hint)
    } else if (variable?.name === '')
      this.#refuse(number, source, 'a variable without a name is ignored', 'write NAME=value')
    else if (variable !== undefined) this.#set(variable.name, variable.value, number, source)
    else this.#add(line, number, source, remark)
  }

  fault(line: number, source: string, message: string, hint: string): void {
    this.#push({ category: 'ConfigurationError', message, hint, at: 0, length: source.length }, line, source)
  }

  /** The line is left out; cron accepts it, so the others run. */
  #refuse(line: number, source: string, message: string, hint: string): void {
    const fault = { category: 'ConfigurationError', message, hint, at: 0, length: source.length } as const
    this.refused.push({ ...fault, line, source })
  }

  #push(fault: Fault, line: number, source: string): void {
    this.faults.push({ ...fault, line, source })
  }

  #set(name: string, value: string, number: number, source: string): void {
    this.#variables = { ...this.#variables, [name]: value }
    if (name === 'CRON_TZ') {
      const zone = hostZones().find(value)
      if (zone !== undefined) this.#zone = zone
      else {
        const close = suggestZone(value, hostZones().find)
        const hint =
          close === undefined ? 'write an IANA name such as Europe/Paris' : `did you mean ${close}?`
        const message = `CRON_TZ: unknown time zone ${JSON.stringify(value)}; the lines below keep ${this.#zone.name}`
        this.#refuse(number, source, message, hint)
      }
    }
    if (name === 'RANDOM_DELAY') {
      if (/^\d{1,4}$/.test(value) && Number(value) <= LONGEST_DELAY_MINUTES)
        this.#delayMinutes = Number(value)
      else
        this.#refuse(number, source, 'RANDOM_DELAY is not a number of minutes: no delay', 'write 0 to 1440')
    }
  }

  #add(text: string, number: number, source: string, remark: KronRemark | undefined): void {
    const line = readCrontabLine(text, this.#options.owner === undefined)
    if (typeof line === 'string') return this.fault(number, source, line, 'see crontab(5)')
    const user = this.#options.owner ?? line.user!
    const identity = createHash('sha256').update([user, line.schedule, line.command].join('\0')).digest()
    const cron = cronOf(line, values => identity.readUInt32BE(8) % values)
    if (typeof cron === 'string') return this.fault(number, source, cron, 'see crontab(5)')
    if (cron === NEVER || line.command === '') {
      const message =
        cron === NEVER ? 'a range that runs backwards is empty: the line never runs' : 'there is no command'
      return this.#refuse(number, source, message, 'see crontab(5)')
    }
    const account = this.#options.findUser(user)
    if (account === undefined)
      return this.fault(
        number,
        source,
        `there is no user ${JSON.stringify(user)}`,
        'create the user, or correct the line',
      )
    const { uid, windowNs } = this.#options
    if (uid !== 0 && account.uid !== uid) {
      const message = `a krond that does not run as root cannot run jobs of ${user}`
      return this.#refuse(number, source, message, 'run krond as root')
    }
    const delay = this.#delayMinutes > 0 ? this.#delayMinutes * MINUTE : windowNs
    const schedule = scheduleOf({ cron, zone: this.#zone, windowNs: delay }, remark)
    const hash = identity.toString('hex', 0, 5)
    for (const script of this.#scripts(line)) {
      const name = this.#unique(script.name ?? remark?.name ?? hash)
      const { command, input } = splitInput(script.command)
      const variables = environmentOf(account, this.#variables)
      const settings = {
        ...DEFAULT_SETTINGS,
        user: uid === 0 ? account.name : null,
        cwd: variables['HOME']!.startsWith('/') ? variables['HOME']! : '/',
        inheritEnv: false,
        umask: UMASK,
        // Cron mails the output and does not log it; the kept copy is for the mail and for people.
        stdout: DISCARD,
        stderr: DISCARD,
        outputKeep: KEPT_BYTES,
      }
      const crontab = {
        user: account.name,
        shell: variables['SHELL']!,
        input,
        variables,
        mail: mailOf(account, this.#variables),
      }
      this.entries.push(
        new CrontabEntry(`${this.#path}:${name}`, schedule, command, settings, number, crontab),
      )
    }
  }

  #scripts(line: CrontabLine): readonly Script[] {
    const { listScripts } = this.#options
    const found = listScripts === undefined ? undefined : scriptsOf(line.command, listScripts)
    return found ?? [{ name: undefined, command: line.command }]
  }

  /** Equal lines are distinguished by their order. */
  #unique(name: string): string {
    const count = (this.#names.get(name) ?? 0) + 1
    this.#names.set(name, count)
    return count === 1 ? name : this.#unique(`${name}-${count}`)
  }
}
