import { EARLIEST, LATEST, parseDuration, parseInstant, printInstant, SECOND } from '@kron/core'
import type { CommandContext } from './command-context.ts'
import { badInput, requireValue } from './refusal.ts'

/** Readers of option values; an invalid value is refused with the option's name in front. */
export function instantOption(name: string, text: string | undefined, context: CommandContext): number {
  if (text === undefined) return context.now()
  const instant = requireValue(parseInstant(completed(text)), `--${name}: `)
  if (instant >= EARLIEST && instant <= LATEST) return instant
  const range = `${printInstant(EARLIEST)} to ${printInstant(LATEST)}`
  throw badInput(`--${name}: ${text} is outside ${range}`)
}

/** Without a zone a time is in UTC; without seconds it is the whole minute; a date alone is its midnight. */
function completed(text: string): string {
  const parts = /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d)(:\d\d)?(Z|[+-]\d\d:\d\d)?)?$/.exec(text)
  if (parts === null) return text
  const [, date, minute = '00:00', second = ':00', zone = 'Z'] = parts
  return `${date}T${minute}${second}${zone}`
}

export function countOption(name: string, text: string | undefined, otherwise: number, most: number): number {
  if (text === undefined) return otherwise
  const count = /^\d{1,9}$/.test(text) ? Number(text) : 0
  if (count >= 1 && count <= most) return count
  throw badInput(`--${name} must be a whole number from 1 to ${most}, found ${JSON.stringify(text)}`)
}

/** A duration of whole seconds, at least one. */
export function secondsOption(name: string, text: string | undefined, otherwise: number): number {
  if (text === undefined) return otherwise
  // A day of a forecast has 24 hours; windows have no unit for days, because a day of a zone may be longer or shorter.
  const days = /^(\d{1,3})d$/.exec(text)?.[1]
  if (days !== undefined && Number(days) > 0) return Number(days) * 86_400
  const seconds = requireValue(parseDuration(text), `--${name}: `) / SECOND
  if (Number.isInteger(seconds) && seconds >= 1) return seconds
  throw badInput(`--${name} must be whole seconds, at least one, found ${JSON.stringify(text)}`)
}
