import { quote } from '../error/fault.ts'
import { type Complaint, namedValue, valuesHint } from './complaint.ts'
import type { Dialect } from './cron.ts'
import type { FieldRule } from './field.ts'

const LONGEST_TOKEN = 20

/** Why a text is not a value of the field, as helpfully as its likely meaning allows. */
export function unreadable(rule: FieldRule, text: string, dialect: Dialect): Complaint {
  const token = text.length > LONGEST_TOKEN ? '' : text.toUpperCase()
  return (
    quartzToken(text, token) ??
    nameElsewhere(rule, text, token, dialect) ??
    oddNumber(rule, text, token) ??
    other(rule, text, dialect)
  )
}

function quartzToken(text: string, token: string): Complaint | undefined {
  const quoted = quote(text)
  if (token.includes('?'))
    return { reason: `has ${quoted}, the Quartz token for "no value"`, hint: 'write *' }
  if (token.includes('#')) {
    const hint = 'give the days it can fall on, such as 8-14, and let the command check the weekday'
    return { reason: `has ${quoted}, the Quartz token for "nth weekday"`, hint }
  }
  if (/^(\d*|[A-Z]{3})L$/.test(token)) {
    const hint = 'give the days it can fall on, such as 28-31, and let the command check the date'
    return { reason: `has ${quoted}, the Quartz token for "last"`, hint }
  }
  if (/^(\d*|L)W$/.test(token)) {
    const hint = 'give a fixed day, or the weekdays 1-5'
    return { reason: `has ${quoted}, the Quartz token for "nearest weekday"`, hint }
  }
  if (/^H(\(|$)/.test(token) || token.includes('~')) {
    const hint = 'give a fixed value; a window spreads the starts'
    return { reason: `has ${quoted}, which stands for a random value`, hint }
  }
  return undefined
}

function nameElsewhere(
  rule: FieldRule,
  text: string,
  token: string,
  dialect: Dialect,
): Complaint | undefined {
  const named = /^[A-Z]{3,}$/.test(token) ? namedValue(token.slice(0, 3)) : undefined
  if (!named) return undefined
  const quoted = quote(text)
  if (named.rule !== rule) {
    const reason = `has the name ${quoted}, which belongs to the ${named.rule.name} field`
    return { reason, hint: valuesHint(rule) }
  }
  if (dialect === 'posix') {
    return { reason: `has the name ${quoted}, and POSIX cron has no names`, hint: `write ${named.value}` }
  }
  return { reason: `has ${quoted}, but names have three letters`, hint: `write ${token.slice(0, 3)}` }
}

function oddNumber(rule: FieldRule, text: string, token: string): Complaint | undefined {
  const quoted = quote(text)
  if (/^[+-]\d+$/.test(token))
    return { reason: `has the signed number ${quoted}`, hint: `write ${text.slice(1)}` }
  if (/^\d[\dA-FX.E+_]*$/.test(token)) {
    const value = Number(token)
    const fits = Number.isInteger(value) && value >= rule.min && value <= rule.max
    const hint = fits ? `write ${value}` : 'write a number with the digits 0-9 only'
    return { reason: `has ${quoted}, which is not a plain decimal number`, hint }
  }
  if (/^\p{Nd}+$/u.test(token)) {
    return {
      reason: `has ${quoted}, whose digits are not all 0-9`,
      hint: 'write the number with the digits 0-9',
    }
  }
  return undefined
}

function other(rule: FieldRule, text: string, dialect: Dialect): Complaint {
  const reason = `has ${quote(text)}, which is not a value`
  if (text.startsWith('@')) return { reason, hint: 'a macro stands alone, in place of the five fields' }
  if (/\s/.test(text))
    return { reason, hint: 'separate the fields with spaces or tabs, not with other blanks' }
  const name =
    dialect === 'kron' && rule.names.length > 0 ? ` or ${rule.names[0]} to ${rule.names.at(-1)}` : ''
  return { reason, hint: `${valuesHint(rule)}${name}` }
}
