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
  /** MAILTO="" discards the output. */
  readonly silent: boolean
  /** The variables that are passed to the commands. */
  readonly variables: readonly Setting[]
}

export const initialEnvironment = (zone: string): Environment => ({
  shell: '/bin/sh',
  home: undefined,
  zone,
  randomDelay: 0,
  silent: false,
  variables: [],
})

type Setter = (environment: Environment, value: string, line: number, remarks: Remarks) => Environment

/** Variables that mean something to cron itself. */
const SPECIAL: Readonly<Record<string, Setter>> = {
  MAILTO(environment, value, line, remarks) {
    if (value === '') return { ...environment, silent: true }
    remarks.lost(
      line,
      `MAILTO=${value}: krond sends no mail; output goes to its log, or where stdout= and stderr= send it`,
    )
    return { ...environment, silent: false }
  },
  SHELL: (environment, value) => ({
    ...environment,
    shell: value,
    // /bin/sh needs no variable: krond's shell is the same.
    variables:
      value === '/bin/sh'
        ? without(environment.variables, 'SHELL')
        : set(environment.variables, 'SHELL', value),
  }),
  HOME: (environment, value) => ({
    ...environment,
    home: value,
    variables: set(environment.variables, 'HOME', value),
  }),
  LOGNAME(environment, _, line, remarks) {
    remarks.lost(line, 'LOGNAME: cron does not let a crontab change it, and neither does the import')
    return environment
  },
  CRON_TZ(environment, value, line, remarks) {
    const { find } = hostZones()
    const name = find(value) ? value : suggestZone(value, find)
    if (name === undefined) {
      remarks.lost(
        line,
        `CRON_TZ=${value}: ${quote(value)} is not a time zone; the lines below keep ${environment.zone}`,
      )
      return environment
    }
    if (name !== environment.zone)
      remarks.changed(
        line,
        `CRON_TZ=${value} moves the lines below it, as in cronie; Debian's cron does not know it and does not move them`,
      )
    return { ...environment, zone: name }
  },
  TZ(environment, value, line, remarks) {
    remarks.changed(
      line,
      `TZ=${value} is passed on to the commands; as in cron it does not move their schedule (CRON_TZ would)`,
    )
    return { ...environment, variables: set(environment.variables, 'TZ', value) }
  },
  RANDOM_DELAY(environment, value, line, remarks) {
    if (!/^\d{1,4}$/.test(value)) {
      remarks.lost(line, `RANDOM_DELAY=${value}: ${quote(value)} is not a number of minutes`)
      return environment
    }
    if (value !== '0') {
      remarks.changed(
        line,
        `RANDOM_DELAY=${value} becomes @win(after,${value}m): cronie draws the delay once, Kron for every period`,
      )
    }
    return { ...environment, randomDelay: Number(value) }
  },
}

/** They only affect the mail, which krond does not send. */
const OF_MAIL = new Set(['MAILFROM', 'CONTENT_TYPE', 'CONTENT_TRANSFER_ENCODING'])

export function withVariable(
  environment: Environment,
  { name, value }: Variable,
  line: number,
  remarks: Remarks,
): Environment {
  if (OF_MAIL.has(name)) {
    remarks.lost(line, `${name} concerns mail, and krond sends none`)
    return environment
  }
  if (!/^[A-Za-z_]\w*$/.test(name)) {
    remarks.lost(line, `${quote(name)} cannot be the name of a variable in a job file`)
    return environment
  }
  const special = Object.hasOwn(SPECIAL, name) ? SPECIAL[name] : undefined
  if (special !== undefined) return special(environment, value, line, remarks)
  return { ...environment, variables: set(environment.variables, name, value) }
}

const without = (variables: readonly Setting[], name: string): Setting[] =>
  variables.filter(([each]) => each !== name)

const set = (variables: readonly Setting[], name: string, value: string): Setting[] => [
  ...without(variables, name),
  [name, value],
]
