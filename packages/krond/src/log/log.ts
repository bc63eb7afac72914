import { visible, visibleJson } from '@kron/cli'
import { type Emit, type Event, type Level, printedFields, type Value } from './event.ts'
import { printShort } from './short.ts'

const RANK: Readonly<Record<Level, number>> = { debug: 0, info: 1, warn: 2, error: 3 }

/** `short` is for a person at a terminal; the others are for machines. */
export type LogFormat = 'short' | 'text' | 'json'

/** `<time> level=… component=… event=… key=value…`, or JSON with the same keys. */
export function printEvent(event: Event, time: string, format: 'text' | 'json'): string {
  const printed = printedFields(event)
  if (format === 'json') return visibleJson(JSON.stringify({ time, ...printed }))
  const fields = Object.entries(printed).map(([key, value]) => `${key}=${printValue(value)}`)
  return `${time} ${fields.join(' ')}`
}

function printValue(value: Value): string {
  const text = value === null ? '' : String(value)
  return /^[^\s"=\\]*$/.test(text) && visible(text) === text ? text : visibleJson(JSON.stringify(text))
}

/** RFC 3339 with nanoseconds; the clock gives microseconds at best. */
export function timestamp(epochMs: number): string {
  const whole = Math.floor(epochMs)
  const rest = Math.min(999_999, Math.round((epochMs - whole) * 1e6))
  return `${new Date(whole).toISOString().slice(0, -1)}${String(rest).padStart(6, '0')}Z`
}

/** The priorities of syslog. */
const PRIORITIES: Readonly<Record<Level, number>> = { debug: 7, info: 6, warn: 4, error: 3 }

/** The line of an event with its newline; empty if the format omits the event. */
export function linePrinter(
  format: LogFormat,
  hasPriorities = false,
): (event: Event, time: string) => string {
  return (event, time) => {
    const line = format === 'short' ? printShort(event, time) : printEvent(event, time, format)
    if (line === undefined) return ''
    return `${hasPriorities ? `<${PRIORITIES[event.level]}>` : ''}${line}\n`
  }
}

export interface LogOptions {
  readonly format: LogFormat
  /** Whether the service manager reads a priority at the start of each line, as journald does. */
  readonly hasPriorities?: boolean
  readonly level: Level
  readonly now: () => number
  /** Job output may use a part of the writer's room only, so that it does not crowd out krond's own lines. */
  readonly write: (text: string, isJobOutput: boolean) => void
  /** Lines that are not written at all; they are counted. */
  readonly drop: (lines: number) => void
  /** Calls back when no start is under way, after two seconds at the latest. */
  readonly later: (flush: () => void) => void
}

/** Lines of job output a second in the log. A job that prints more has its kept output; krond has its starts. */
const MOST_OUTPUT_LINES = 5_000
const CHUNK_LENGTH = 65_536

const isOutputLine = (event: Event): boolean => event.event === 'output' && 'text' in event

class OutputLimit {
  #second = 0
  #lines = 0

  /** Counts one line at this time, in epoch milliseconds. */
  allows(at: number): boolean {
    const second = Math.floor(at / 1_000)
    if (second !== this.#second) this.#lines = 0
    this.#second = second
    return ++this.#lines <= MOST_OUTPUT_LINES
  }
}

/** Lines are printed and written together, and not while jobs wait to start; an error is written at once. */
export function makeLog({ format, level, now, write, drop, later, ...options }: LogOptions): {
  emit: Emit
  flush: () => void
} {
  const print = linePrinter(format, options.hasPriorities)
  let waiting: { readonly event: Event; readonly at: number }[] = []
  const flush = (): void => {
    if (waiting.length === 0) return
    const lines = waiting
    waiting = []
    let text = ''
    let isOutput = false
    for (const { event, at } of lines) {
      const isNextOutput = isOutputLine(event)
      if (text !== '' && (isNextOutput !== isOutput || text.length > CHUNK_LENGTH)) {
        write(text, isOutput)
        text = ''
      }
      isOutput = isNextOutput
      text += print(event, timestamp(at))
    }
    if (text !== '') write(text, isOutput)
  }
  const limit = new OutputLimit()
  const emit: Emit = event => {
    if (RANK[event.level] < RANK[level]) return
    const at = now()
    if (isOutputLine(event) && !limit.allows(at)) return drop(1)
    if (waiting.length === 0) later(flush)
    waiting.push({ event, at })
    if (event.level === 'error') flush()
  }
  return { emit, flush }
}
