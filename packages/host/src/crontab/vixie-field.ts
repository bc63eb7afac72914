import type { CronField } from '@kron/core'

const NAMES: Partial<Record<CronField, readonly string[]>> = {
  month: ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'],
  weekday: ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'],
}

/** Thrown within this file only: cron refuses the field. */
class Refused extends Error {}

/**
 * The values of a field exactly as Debian's cron reads them: text after the last element is ignored, and a range that
 * runs backwards is empty. Undefined if cron refuses the field. Weekdays are 0 to 6.
 */
export function readVixieField(
  text: string,
  field: CronField,
  min: number,
  max: number,
): readonly number[] | undefined {
  const highest = field === 'weekday' ? 7 : max
  const values = new Set<number>()
  let at = 0
  const readNumber = (least: number): number => {
    const word = /^[A-Za-z0-9]*/.exec(text.slice(at))![0]
    at += word.length
    if (/^\d+$/.test(word)) return Number(word)
    const index = (NAMES[field] ?? []).indexOf(word.toLowerCase())
    if (index < 0) throw new Refused()
    return index + least
  }
  const readElement = (): void => {
    let [from, to, step] = [min, highest, 1]
    if (text[at] === '*') at++
    else {
      from = readNumber(min)
      to = from
      if (text[at] === '/') throw new Refused()
      if (text[at] === '-') {
        at++
        to = readNumber(min)
      }
    }
    if (text[at] === '/') {
      at++
      const word = /^\d*/.exec(text.slice(at))![0]
      at += word.length
      step = Number(word)
      if (step === 0 || /[A-Za-z]/.test(text[at] ?? '')) throw new Refused()
    }
    if (Math.min(from, to) < min || Math.max(from, to) > highest) throw new Refused()
    for (let value = from; value <= to; value += step) values.add(field === 'weekday' ? value % 7 : value)
  }
  try {
    readElement()
    while (text[at] === ',') {
      at++
      readElement()
    }
  } catch (error) {
    if (error instanceof Refused) return undefined
    throw error
  }
  return [...values].sort((a, b) => a - b)
}
