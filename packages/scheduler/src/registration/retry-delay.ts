import { parseDuration } from '@kron/core'
import { typeName } from '../error/type-name.ts'
import { parseIsoDuration } from './iso-duration.ts'

const NANOSECONDS = 1_000_000

/**
 * The milliseconds of a given retry delay, not yet validated. Undefined if the value is not a duration. Passes on
 * errors of the caller's `toMillis`.
 */
export function readRetryDelay(delay: unknown): number | undefined {
  if (typeof delay === 'number') return delay
  if (typeof delay === 'string') return readText(delay)
  if (typeof delay !== 'object' || delay === null) return undefined
  if ('toMillis' in delay && typeof delay.toMillis === 'function') return numeric(delay.toMillis())
  if ('total' in delay && typeof delay.total === 'function') return readTotal(delay as { total: unknown })
  return undefined
}

function readText(text: string): number | undefined {
  const negative = text.startsWith('-')
  const size = readSize(negative ? text.slice(1) : text)
  return size === undefined || !negative ? size : -size
}

function readSize(text: string): number | undefined {
  const go = parseDuration(text)
  return go.ok ? go.value / NANOSECONDS : parseIsoDuration(text)
}

function readTotal(duration: { total: unknown }): number | undefined {
  try {
    return numeric((duration.total as (unit: string) => unknown).call(duration, 'milliseconds'))
  } catch {
    // Months and years have no fixed length. NaN is reported as an invalid value.
    return Number.NaN
  }
}

const numeric = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined)

/** The problem with a delay's value, apart from a negative sign. Undefined if there is none. */
export function delayProblem(milliseconds: number): string | undefined {
  if (Number.isSafeInteger(milliseconds)) return undefined
  if (Number.isNaN(milliseconds)) return 'must be a fixed number of milliseconds, got NaN'
  if (!Number.isFinite(milliseconds)) return 'must be finite'
  if (!Number.isInteger(milliseconds)) return 'must be a whole number of milliseconds'
  return `must be at most ${Number.MAX_SAFE_INTEGER} ms`
}

/** The reason why a value is not a duration. The text omits the value, because it is the caller's data. */
export function delayShapeProblem(delay: unknown): string {
  if (typeof delay !== 'string') {
    return `the retry delay must be milliseconds, a text such as "5m" or "PT5M", or a duration, got ${typeName(delay)}`
  }
  return `the retry delay is no duration: ${textProblem(delay)}`
}

function textProblem(text: string): string {
  if (/^[+-]?[\d.]+$/.test(text)) return 'a number without a unit; write "5m", or a number for milliseconds'
  if (/^[+-]?P/i.test(text))
    return 'write weeks, days, hours, minutes and seconds, such as "P1W", "P1DT2H" or "PT5M"'
  if (/\d\s*(d|w)/i.test(text)) return 'days and weeks need ISO 8601; write "P1D" or "P1W"'
  return 'write for example "90s", "1h30m", "PT5M" or "P1D"'
}
