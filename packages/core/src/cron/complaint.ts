import { quote } from '../error/fault.ts'
import type { Dialect } from './cron.ts'
import { FIELDS, type FieldRule } from './field.ts'
import { CRON_MACROS } from './macro.ts'
import { printValues } from './print.ts'

/** A mistake in a part of a cron expression. The reason continues the words `minute field` or `cron expression`. */
export interface Complaint {
  readonly reason: string
  readonly hint: string
}

export const valuesHint = ({ min, max }: FieldRule): string => `its values are ${min} to ${max}`

const ADDED_HINTS: Readonly<Record<string, string>> = {
  'minute 60': '; the full hour is 0',
  'hour 24': '; midnight is 0',
  'weekday 7': '; Sunday is 0',
}

export const outside = (rule: FieldRule, text: string, value: number): Complaint => ({
  reason: `has ${quote(text)}, outside ${rule.min}-${rule.max}`,
  hint: `${valuesHint(rule)}${ADDED_HINTS[`${rule.name} ${value}`] ?? ''}`,
})

export function backwards(rule: FieldRule, text: string, from: number, to: number): Complaint {
  const reason = `has the range ${quote(text)}, which runs backwards`
  const sunday = rule.name === 'weekday' && from === 7
  const run = (first: number, last: number) => (first === last ? `${first}` : `${first}-${last}`)
  return { reason, hint: `write ${sunday ? run(0, to) : `${run(from, rule.max)},${run(rule.min, to)}`}` }
}

export const emptyElement: Complaint = {
  reason: 'has an empty list element',
  hint: 'write a value there or remove the comma',
}

export const missingValue: Complaint = { reason: 'has no value before "/"', hint: 'write a step such as */5' }

export const emptyField: Complaint = { reason: 'is empty', hint: 'write * for every value' }

export const starInList: Complaint = {
  reason: 'has "*" in a list',
  hint: 'write only *, which already holds every value',
}

export const openRange = (text: string): Complaint => ({
  reason: `has the range ${quote(text)} without an end`,
  hint: `write the last value after ${quote(text)}`,
})

export const stepOfOne = (rule: FieldRule, text: string, from: number, step: number): Complaint => ({
  reason: `has ${quote(text)}, a step without a range`,
  hint: `write ${from}-${rule.max}/${step}`,
})

export const missingStep: Complaint = { reason: 'has no number after "/"', hint: 'write a step such as */5' }

export const badStep = (text: string): Complaint => ({
  reason: `has the step ${quote(text)}, which is not a whole number from 1`,
  hint: 'write a step such as */5',
})

export const posixStep = (rule: FieldRule, text: string, values: readonly number[]): Complaint => ({
  reason: `has the step ${quote(text)}, and POSIX cron has no steps`,
  hint: values.length === 0 ? 'list the values' : `write ${printValues(values, rule, 'posix')}`,
})

export function notMacro(text: string, dialect: Dialect): Complaint {
  if (text.toLowerCase() === '@reboot') {
    const hint = 'let the service manager start the command at boot'
    return { reason: `is ${quote(text)}, which names no time`, hint }
  }
  if (text.toLowerCase() === '@every' && dialect !== 'posix') {
    const hint = 'write a step: */5 * * * * is every five minutes, 0 */2 * * * every two hours'
    return { reason: `is ${quote(text)}, which is no macro`, hint }
  }
  const meant = CRON_MACROS.get(text.toLowerCase())
  if (dialect === 'posix') {
    const hint = `write ${meant ?? 'five fields such as 0 0 * * *'}`
    return { reason: `is the macro ${quote(text)}, and POSIX cron has no macros`, hint }
  }
  const hint = meant ? `write ${text.toLowerCase()}` : `macros are ${[...CRON_MACROS.keys()].join(' ')}`
  return { reason: `is the unknown macro ${quote(text)}`, hint }
}

export const afterMacro = (text: string): Complaint => ({
  reason: `has ${quote(text)} after its macro`,
  hint: 'a macro stands alone, in place of the five fields',
})

const FIVE = 'write minute hour day month weekday, such as 30 4 * * 1-5'

export const tooFew = (fields: number, text: string): Complaint => ({
  reason: fields === 0 ? 'is empty' : `has ${fields} ${fields === 1 ? 'field' : 'fields'} instead of 5`,
  hint: /[^\S \t]/.test(text) ? 'separate the fields with spaces or tabs, not with other blanks' : FIVE,
})

export const tooMany = (fields: number): Complaint =>
  fields > 7
    ? { reason: `has ${fields} fields instead of 5`, hint: FIVE }
    : {
        reason: `has ${fields} fields instead of 5, and none is for seconds or years`,
        hint: 'leave out the seconds in front and the year behind',
      }

export const neverMatches = (text: string, longest: number): Complaint => ({
  reason: `has ${quote(text)}, a day that none of the months has`,
  hint: `the longest of the months has ${longest} days`,
})

/** The field whose names include one, and the value it stands for. */
export function namedValue(name: string): { readonly rule: FieldRule; readonly value: number } | undefined {
  for (const rule of FIELDS) {
    const index = rule.names.indexOf(name)
    if (index >= 0) return { rule, value: rule.min + index }
  }
  return undefined
}
