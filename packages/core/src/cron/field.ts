export type CronField = 'minute' | 'hour' | 'day' | 'month' | 'weekday'

export interface FieldRule {
  readonly name: CronField
  readonly min: number
  readonly max: number
  /** Names of the values from `min` on. */
  readonly names: readonly string[]
}

const MONTHS = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC']
const WEEKDAYS = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT']

export const MINUTE: FieldRule = { name: 'minute', min: 0, max: 59, names: [] }
export const HOUR: FieldRule = { name: 'hour', min: 0, max: 23, names: [] }
export const DAY: FieldRule = { name: 'day', min: 1, max: 31, names: [] }
export const MONTH: FieldRule = { name: 'month', min: 1, max: 12, names: MONTHS }
export const WEEKDAY: FieldRule = { name: 'weekday', min: 0, max: 6, names: WEEKDAYS }

/** In the order of an expression. */
export const FIELDS: readonly FieldRule[] = [MINUTE, HOUR, DAY, MONTH, WEEKDAY]
