import type { Fault } from '../error/fault.ts'
import {
  backwards,
  badStep,
  type Complaint,
  emptyElement,
  emptyField,
  missingStep,
  missingValue,
  openRange,
  outside,
  posixStep,
  starInList,
  stepOfOne,
} from './complaint.ts'
import { ALL_WEEKDAYS, type Dialect, HALF } from './cron.ts'
import { type CronField, type FieldRule, WEEKDAY } from './field.ts'
import { unreadable } from './unreadable.ts'

const STAR = 42
const COMMA = 44
const DASH = 45
const SLASH = 47
const ZERO = 48

/** Not a value; why is among the faults. */
const NONE = -1

/** The second number of Sunday, in the kron dialect. */
const SUNDAY_AGAIN = 7

/** Above every limit: longer numbers need not be read to the end of their worth. */
const HUGE = 1_000_000

/** The most faults reported for one line: a line of a million commas must not become a million faults. */
const MOST_FAULTS = 100

/** Reads the fields of one text: each into `low` and `high`, thirty bits either, and everything wrong into `faults`. */
export class FieldReader {
  readonly faults: Fault[] = []
  low = 0
  high = 0
  #from = 0
  #to = 0
  /** Whether the range is a single value. */
  #lone = false
  readonly #text: string
  readonly #dialect: Dialect

  constructor(text: string, dialect: Dialect) {
    this.#text = text
    this.#dialect = dialect
  }

  /** Reads `[start, end)`; tells whether it is anything but `*`. */
  read(rule: FieldRule, start: number, end: number): boolean {
    this.low = 0
    this.high = 0
    if (this.#isStar(start, end)) {
      this.#from = rule.min
      this.#to = rule.max
      this.#add(rule, 1)
      return false
    }
    if (start === end) this.complain(rule.name, emptyField, start, end)
    else this.#readList(rule, start, end)
    if (rule === WEEKDAY) this.low = (this.low | (this.low >> SUNDAY_AGAIN)) & ALL_WEEKDAYS
    return true
  }

  complain(field: CronField | 'expression', complaint: Complaint, start: number, end: number): void {
    if (this.faults.length === MOST_FAULTS) return
    const { reason, hint } = complaint
    const message = `${field === 'expression' ? 'cron expression' : `${field} field`} ${reason}`
    this.faults.push({
      category: 'ConfigurationError',
      message,
      hint,
      at: start,
      length: end - start,
      field,
      reason,
    })
  }

  #readList(rule: FieldRule, start: number, end: number): void {
    let from = start
    for (let at = start; at < end; at++) {
      if (this.#text.charCodeAt(at) !== COMMA) continue
      this.#readElement(rule, from, at)
      from = at + 1
    }
    this.#readElement(rule, from, end)
  }

  #readElement(rule: FieldRule, start: number, end: number): void {
    const slash = this.#find(SLASH, start, end)
    if (start === end) this.complain(rule.name, emptyElement, start, end)
    else if (slash === end && this.#isStar(start, end)) this.complain(rule.name, starInList, start, end)
    else {
      const good = this.#readRange(rule, start, slash)
      const step = slash === end ? 1 : this.#readStep(rule, good, start, slash, end)
      if (good && step !== NONE) this.#add(rule, step)
    }
  }

  /** Reads `*`, `n` or `n-m` into `from` and `to`; tells whether it could. */
  #readRange(rule: FieldRule, start: number, end: number): boolean {
    this.#from = rule.min
    this.#to = rule.max
    this.#lone = false
    if (this.#isStar(start, end)) return true
    // A dash in front is a sign.
    const dash = this.#find(DASH, start + 1, end)
    this.#lone = dash === end
    this.#from = this.#readValue(rule, start, dash)
    this.#to = this.#lone ? this.#from : this.#readRangeEnd(rule, start, dash + 1, end)
    if (this.#from === NONE || this.#to === NONE) return false
    if (this.#from <= this.#to) return true
    this.complain(rule.name, backwards(rule, this.#text.slice(start, end), this.#from, this.#to), start, end)
    return false
  }

  #readRangeEnd(rule: FieldRule, rangeStart: number, start: number, end: number): number {
    if (start < end) return this.#readValue(rule, start, end)
    this.complain(rule.name, openRange(this.#text.slice(rangeStart, end)), rangeStart, end)
    return NONE
  }

  #readValue(rule: FieldRule, start: number, end: number): number {
    if (start === end) {
      this.complain(rule.name, missingValue, start, end)
      return NONE
    }
    const value = this.#readNumber(start, end)
    if (value === NONE) return this.#readName(rule, start, end)
    const max = rule === WEEKDAY && this.#dialect === 'kron' ? SUNDAY_AGAIN : rule.max
    if (value >= rule.min && value <= max) return value
    this.complain(rule.name, outside(rule, this.#text.slice(start, end), value), start, end)
    return NONE
  }

  #readName(rule: FieldRule, start: number, end: number): number {
    const text = this.#text.slice(start, end)
    const index =
      this.#dialect === 'kron' && text.length === 3 ? rule.names.indexOf(text.toUpperCase()) : NONE
    if (index !== NONE) return rule.min + index
    this.complain(rule.name, unreadable(rule, text, this.#dialect), start, end)
    return NONE
  }

  #readNumber(start: number, end: number): number {
    let value = 0
    for (let at = start; at < end; at++) {
      const digit = this.#text.charCodeAt(at) - ZERO
      if (!(digit >= 0 && digit <= 9)) return NONE
      value = Math.min(value * 10 + digit, HUGE)
    }
    return value
  }

  /** Reads the step behind a slash; `good` tells whether the range before it is. */
  #readStep(rule: FieldRule, good: boolean, start: number, slash: number, end: number): number {
    const step = this.#readNumber(slash + 1, end)
    if (step > 0 && !this.#lone && this.#dialect === 'kron') return step
    const element = this.#text.slice(start, end)
    if (this.#dialect === 'posix') {
      const values = good && step > 0 ? spread(this.#from, this.#lone ? rule.max : this.#to, step) : []
      this.complain(rule.name, posixStep(rule, element, values), start, end)
    } else if (slash + 1 === end) this.complain(rule.name, missingStep, end, end)
    else if (step < 1) this.complain(rule.name, badStep(this.#text.slice(slash + 1, end)), slash + 1, end)
    else if (good) this.complain(rule.name, stepOfOne(rule, element, this.#from, step), start, end)
    return NONE
  }

  #add(rule: FieldRule, step: number): void {
    const first = this.#from - rule.min
    const last = this.#to - rule.min
    if (step === 1) {
      this.low |= run(first, Math.min(last, HALF - 1))
      this.high |= run(Math.max(first - HALF, 0), last - HALF)
      return
    }
    for (let bit = first; bit <= last; bit += step) {
      if (bit < HALF) this.low |= 1 << bit
      else this.high |= 1 << (bit - HALF)
    }
  }

  #isStar(start: number, end: number): boolean {
    return end === start + 1 && this.#text.charCodeAt(start) === STAR
  }

  /** The first place of a character in `[start, end)`, or `end`. */
  #find(code: number, start: number, end: number): number {
    let at = start
    while (at < end && this.#text.charCodeAt(at) !== code) at++
    return Math.min(at, end)
  }
}

/** The bits from `first` to `last`; none if they are the wrong way round. */
const run = (first: number, last: number): number => (first > last ? 0 : (2 << last) - (1 << first))

function spread(from: number, to: number, step: number): number[] {
  const values: number[] = []
  for (let value = from; value <= to; value += step) values.push(value)
  return values
}
