import { type CronField, parseCronField, quote } from '@kron/core'
import { fieldOf } from './values.ts'
import { readVixieField } from './vixie-field.ts'

/** One field of a crontab, as Debian's cron and cronie read it. */
export interface Field {
  /** The field in Kron's syntax. */
  readonly text: string
  /** Empty if cron accepts the field and never finds it true. */
  readonly values: readonly number[]
  /** Whether the text begins with `*`: Vixie's day rule depends on exactly that. */
  readonly star: boolean
  /** For cronie's `a~b`: how far beyond the least value it may be drawn. */
  readonly spread: number
}

const BOUNDS: Readonly<Record<CronField, readonly [number, number]>> = {
  minute: [0, 59],
  hour: [0, 23],
  day: [1, 31],
  month: [1, 12],
  weekday: [0, 6],
}

/** The field, or the reason why it cannot be converted. */
export function readField(text: string, name: CronField): Field | string {
  const [min, max] = BOUNDS[name]
  if (text.includes('~')) return readRandom(text, name, min, max)
  const single = /(?:^|,)(\d+)\/(\d+)(?:,|$)/.exec(text)
  if (single !== null) {
    return `${quote(`${single[1]}/${single[2]}`)} in the ${name} field means ${single[1]} alone to some crons and ${single[1]}-${max}/${single[2]} to others: write which`
  }
  // Kron's own fields have no star within a list. In cron it means every value, but the others must be valid too.
  const elements = text.split(',')
  const others = elements.filter(element => element !== '*')
  const hasStar = elements.length > 1 && others.length < elements.length
  const tidy = hasStar ? `${min}-${max}` : text
  const read = parseCronField(hasStar && others.length > 0 ? others.join(',') : tidy, name, 'kron')
  if (!read.ok) {
    // Cron accepts more than Kron's own dialect; a line that ran under cron must still run.
    const values = readVixieField(text, name, min, max)
    if (values === undefined) return read.faults[0]!.message
    return { text: fieldOf(values, min, max), values, star: text.startsWith('*'), spread: 0 }
  }
  if (hasStar)
    return {
      text: text.startsWith('*') ? '*' : tidy,
      values: range(min, max),
      star: text.startsWith('*'),
      spread: 0,
    }
  const all = read.value.length === max - min + 1
  // In Vixie cron a field that begins with a star counts as a star; Kron's rule looks at the whole text.
  const star = text.startsWith('*')
  return { text: star && all ? '*' : tidy, values: read.value, star, spread: 0 }
}

const range = (from: number, to: number): number[] =>
  Array.from({ length: to - from + 1 }, (_, i) => from + i)

function readRandom(text: string, name: CronField, min: number, max: number): Field | string {
  const match = /^(\d*)~(\d*)$/.exec(text)
  const from = match?.[1] ? Number(match[1]) : min
  const to = match?.[2] ? Number(match[2]) : max
  if (match === null || from < min || to > max || from > to) {
    return `the random ${name} ${quote(text)} cannot be expressed as a window`
  }
  if (name !== 'minute' && name !== 'hour' && from !== to)
    return `a random ${name} ${quote(text)} cannot be expressed as a window without losing the time of day`
  return { text: fieldOf([from], min, max), values: [from], star: false, spread: to - from }
}
