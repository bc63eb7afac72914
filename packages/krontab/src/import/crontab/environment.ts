import type { Remarks } from '@kron/cli'
import { quote, suggestZone } from '@kron/core'
import { hostZones, type Variable } from '@kron/host'
import type { Setting } from '../imported.ts'

/** The effect of the variables above a line of a crontab; each variable affects the lines after it. */
export interface Environment {
  readonly shell: string
  readonly home: string | undefined
  readonly zone: string
  /** Minutes, from cronie's RANDOM_DELAY. */
  readonly randomDelay: number
  /** The value of MAILTO; undefined: it is not set, and the output goes to the user. */
  readonly mailTo: string | undefined
  /** All variables as the crontab sets them, for the comparison. */
  readonly given: Readonly<Record<string, string>>
  /** The variables that are passed to the commands. */
  readonly variables: readonly Setting[]
}

export const initialEnvironment = (zone: string): Environment => ({
  shell: '/bin/sh',
  home: undefined,
  zone,
  randomDelay: 0,
  mailTo: undefined,
  given: {},
  variables: [],
})

type Setter = (environment: Environment, value: string, line: number, remarks: Remarks) => Environment

/** The cron that read the crontabs: they disagree about CRON_TZ, RANDOM_DELAY, `~` and bad lines. */
export type CronKind = 'debian' | 'cronie'

/** Variables that mean something to cron itself. */
const SPECIAL: Readonly<Record<string, Setter>> = {
  MAILTO: (environment, value) => ({ ...passedOn(environment, 'MAILTO', value), mailTo: value }),
  SHELL: (environment, value) => ({ ...passedOn(environment, 'SHELL', value), shell: value }),
  HOME: (environment, value) => ({ ...passedOn(environment, 'HOME', value), home: value }),
  LOGNAME(environment, _, line, remarks) {
    remarks.lost(line, 'LOGNAME: cron does not let a crontab change it, and neither does the import')
    return environment
  },
  TZ(environment, value, line, remarks) {
    remarks.changed(
      line,
      `TZ=${value} is passed on to the commands; as in cron it does not move their schedule (CRON_TZ would)`,
    )
    return passedOn(environment, 'TZ', value)
  },
}

/** Variables that only cronie knows. Debian's cron passes them on like any other. */
const OF_CRONIE: Readonly<Record<string, Setter>> = {
  CRON_TZ(environment, value, line, remarks) {
    const { find } = hostZones()
    const close = suggestZone(value, find)
    // Another spelling of the same name is accepted, another zone is not.
    const name = find(value) ? value : close?.toLowerCase() === value.toLowerCase() ? close : undefined
    if (name === undefined) {
      remarks.lost(
        line,
        `CRON_TZ=${value}: ${quote(value)} is not a time zone; the lines below keep ${environment.zone}`,
      )
      return environment
    }
    return { ...passedOn(environment, 'CRON_TZ', value), zone: name }
  },
  RANDOM_DELAY(environment, value, line, remarks) {
    if (!/^\d{1,4}$/.test(value)) {
      remarks.lost(line, `RANDOM_DELAY=${value}: ${quote(value)} is not a number of minutes`)
      return environment
    }
    if (value !== '0') {
      remarks.changed(
        line,
        `RANDOM_DELAY=${value} becomes @win(after,${value}m) with a salt of this host: cronie draws the delay once, Kron for every period`,
      )
    }
    return { ...passedOn(environment, 'RANDOM_DELAY', value), randomDelay: Number(value) }
  },
}

const WITHOUT_EFFECT: Readonly<Record<string, string>> = {
  CRON_TZ: 'does not move the lines below it',
  RANDOM_DELAY: 'does not delay the lines below it',
}

/** They change the form of cron's mails; krond's mails have their own. */
const OF_MAIL = new Set(['MAILFROM', 'CONTENT_TYPE', 'CONTENT_TRANSFER_ENCODING'])

export function withVariable(
  environment: Environment,
  { name, value }: Variable,
  line: number,
  remarks: Remarks,
  kind: CronKind,
): Environment {
  const given = { ...environment.given, [name]: value }
  return { ...effectOf({ ...environment, given }, { name, value }, line, remarks, kind), given }
}

function effectOf(
  environment: Environment,
  { name, value }: Pick<Variable, 'name' | 'value'>,
  line: number,
  remarks: Remarks,
  kind: CronKind,
): Environment {
  if (OF_MAIL.has(name)) {
    remarks.lost(line, `${name}=${value}: the mails of krond have a form of their own`)
    return passedOn(environment, name, value)
  }
  if (!/^[A-Za-z_]\w*$/.test(name)) {
    remarks.lost(line, `${quote(name)} cannot be the name of a variable in a job file`)
    return environment
  }
  const special = Object.hasOwn(SPECIAL, name) ? SPECIAL[name] : undefined
  if (Object.hasOwn(OF_CRONIE, name)) {
    if (kind === 'cronie') return OF_CRONIE[name]!(environment, value, line, remarks)
    remarks.changed(
      line,
      `${name}=${value}: Debian's cron passes it on and ${WITHOUT_EFFECT[name]}, and so does the import; --cron cronie reads it as cronie does`,
    )
  }
  return special?.(environment, value, line, remarks) ?? passedOn(environment, name, value)
}

const passedOn = (environment: Environment, name: string, value: string): Environment => ({
  ...environment,
  variables: [...environment.variables.filter(([each]) => each !== name), [name, value]],
})
