import { printDuration, printSchedule } from '@kron/core'
import { CrontabEntry } from '../crontab/entry.ts'
import { DEFAULT_SETTINGS, type Entry, type Settings } from './entry.ts'
import { printTarget } from './notify.ts'
import { printOutput } from './output.ts'

/** The canonical line of an entry: fields that equal their default are omitted. */
export function printEntry(entry: Entry): string {
  if (entry instanceof CrontabEntry) return printCrontabEntry(entry)
  const fields = [`name=${entry.name}`, `command=${quoted(entry.command)}`]
  if (entry.shell) fields.push('shell=true')
  fields.push(...printSettings(entry.settings))
  if (entry.description !== '') fields.push(`description=${quoted(entry.description)}`)
  return `${printSchedule(entry.schedule)} ${fields.join(' ')}`
}

/** The line of a crontab with its environment, for people and to detect changes. */
const printCrontabEntry = ({ schedule, command, crontab, name }: CrontabEntry): string =>
  [printSchedule(schedule), `name=${name}`, JSON.stringify({ ...crontab, command })].join(' ')

export const printJobFile = (entries: readonly Entry[]): string =>
  entries.map(entry => `${printEntry(entry)}\n`).join('')

function printSettings(settings: Settings): string[] {
  const { user, group, groups, cwd, env, umask, timeout, grace, stdout, stderr } = settings
  const fields: string[] = []
  if (user !== null) fields.push(`user=${user}`)
  if (group !== null) fields.push(`group=${group}`)
  if (groups !== null) fields.push(`groups=${groups.join(',')}`)
  if (cwd !== null) fields.push(`cwd=${quoted(cwd)}`)
  for (const [name, value] of Object.entries(env))
    fields.push(`env=${name}=${value === '' ? '' : quoted(value)}`)
  if (settings.inheritEnv !== null) fields.push(`inherit_env=${settings.inheritEnv}`)
  if (umask !== null) fields.push(`umask=${umask.toString(8).padStart(4, '0')}`)
  if (timeout !== null) fields.push(`timeout=${printDuration(timeout)}`)
  if (grace !== DEFAULT_SETTINGS.grace) fields.push(`grace=${printDuration(grace)}`)
  if (stdout.kind !== 'inherit') fields.push(`stdout=${quoted(printOutput(stdout))}`)
  if (stderr.kind !== 'inherit') fields.push(`stderr=${quoted(printOutput(stderr))}`)
  for (const key of ['nofile', 'nproc', 'fsize', 'core', 'nice'] as const)
    if (settings[key] !== null) fields.push(`${key}=${settings[key]}`)
  if (settings.outputKeep !== null) fields.push(`output_keep=${settings.outputKeep}`)
  if (settings.notify !== null)
    fields.push(`notify=${quoted(settings.notify.map(printTarget).join(',') || 'none')}`)
  if (settings.notifyOn !== null) fields.push(`notify_on=${settings.notifyOn.join(',')}`)
  if (settings.ping !== null) fields.push(`ping=${quoted(settings.ping)}`)
  return fields
}

/** Bare if possible, otherwise in quotes. */
export const quoted = (text: string): string =>
  text !== '' && !/[\s"\\]/.test(text) ? text : `"${text.replace(/["\\]/g, '\\$&')}"`
