import { type Fault, faulty, type Parsed, parsed, quote } from '../error/fault.ts'
import { EARLIEST, LATEST, parseInstant } from '../time/instant.ts'

/** A step density: each weight holds from its start to the next. */
export interface Steps {
  /** `day`: seconds of the local day, every day the same. `instants`: epoch seconds. */
  readonly scale: 'day' | 'instants'
  /** Ascending, as many as there are weights. */
  readonly starts: readonly number[]
  readonly weights: readonly number[]
  /** The end of the last step, in the unit of `starts`. */
  readonly end: number
}

/** The curve that a weights file holds, or the reason why there is none. */
export interface Curve {
  /** SHA-256 of the file; empty if there is no file. */
  readonly digest: string
  readonly steps: Steps | 'missing' | 'unreadable'
}

const DAY = 86_400
export const MOST_STEPS = 100_000
const MOST_FAULTS = 20
const LONGEST_LINE = 200

const CLOCK = /^([01]\d|2[0-3]):([0-5]\d)$/
const WEIGHT = /^\d{1,9}(\.\d{1,9})?$/
/** A time without seconds, as many feeds write it. */
const WITHOUT_SECONDS = /^(\d{4}-\d\d-\d\d[Tt]\d\d:\d\d)(?=[Zz+-])/

interface Line {
  readonly text: string
  readonly at: number
}

/**
 * The text of a weights file: `start,weight` a line. All starts are times of day (`06:30`) or all are instants
 * (`2026-03-01T06:30:00Z`), in ascending order. Blank lines, comments with `#` and the heading `start,weight` are ignored.
 */
export function parseCurve(text: string): Parsed<Steps> {
  const reader = new StepReader()
  for (let at = text.startsWith('\uFEFF') ? 1 : 0; at < text.length && !reader.isFull; ) {
    const newline = text.indexOf('\n', at)
    const end = newline < 0 ? text.length : newline
    reader.read({ text: text.slice(at, Math.min(end, at + LONGEST_LINE + 1)), at })
    at = end + 1
  }
  return reader.steps()
}

class StepReader {
  readonly #starts: number[] = []
  readonly #weights: number[] = []
  readonly #faults: Fault[] = []
  #scale: Steps['scale'] | undefined

  get isFull(): boolean {
    return this.#faults.length >= MOST_FAULTS || this.#starts.length > MOST_STEPS
  }

  read(line: Line): void {
    const row = line.text.trim()
    if (row === '' || row.startsWith('#') || (this.#starts.length === 0 && row === 'start,weight')) return
    if (line.text.length > LONGEST_LINE)
      return this.#fault(line, 'the line is too long', 'write only start,weight')
    const [start = '', weight = '', ...more] = row.split(',').map(field => field.trim())
    if (weight === '' || more.length > 0)
      return this.#fault(line, `expected start,weight, found ${quote(row)}`, 'write for example 22:00,3')
    if (!WEIGHT.test(weight))
      return this.#fault(line, `${quote(weight)} is not a weight`, 'write a number such as 0, 2 or 1.25')
    const at = this.#startOf(start, line)
    if (at === undefined) return
    if (at <= (this.#starts.at(-1) ?? -1))
      return this.#fault(
        line,
        `${quote(start)} is not later than the start before it`,
        'sort the lines by start',
      )
    this.#starts.push(at)
    this.#weights.push(Number(weight))
  }

  #startOf(text: string, line: Line): number | undefined {
    const clock = CLOCK.exec(text)
    const instant = clock === null ? parseInstant(text.replace(WITHOUT_SECONDS, '$1:00')) : undefined
    if (instant?.ok === false) {
      const hint = 'write a time of day such as 22:00, or an instant such as 2026-03-01T22:00:00Z'
      return this.#fault(line, `${quote(text)} is no start of a step`, hint)
    }
    const at = instant?.value ?? Number(clock![1]) * 3_600 + Number(clock![2]) * 60
    const scale = clock === null ? 'instants' : 'day'
    this.#scale ??= scale
    if (scale !== this.#scale)
      return this.#fault(
        line,
        `${quote(text)} stands among starts of the other kind`,
        'write only times of day, or only instants',
      )
    if (at >= EARLIEST && at <= LATEST) return at
    return this.#fault(line, `${quote(text)} is not between 1970 and 2200`, 'leave the line out')
  }

  steps(): Parsed<Steps> {
    const [starts, weights] = [this.#starts, this.#weights]
    const scale = this.#scale ?? 'day'
    const whole: Line = { text: '', at: 0 }
    if (starts.length > MOST_STEPS)
      this.#fault(whole, `there are more than ${MOST_STEPS} steps`, 'leave out steps of the past')
    else if (this.#faults.length === 0) {
      if (!weights.some(weight => weight > 0))
        this.#fault(whole, 'there is no weight above 0', 'write lines such as 22:00,3')
      else if (scale === 'instants' && starts.length < 2)
        this.#fault(
          whole,
          'one instant has no end',
          'write at least two lines: the last step is as long as the one before',
        )
    }
    if (this.#faults.length > 0) return faulty(this.#faults)
    const last = starts.at(-1)!
    const end = scale === 'day' ? DAY : last + (last - starts.at(-2)!)
    return parsed({ scale, starts, weights, end })
  }

  #fault({ text, at }: Line, message: string, hint: string): undefined {
    this.#faults.push({ category: 'ConfigurationError', message, hint, at, length: text.length })
  }
}
