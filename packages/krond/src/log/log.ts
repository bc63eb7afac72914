import { visible, visibleJson } from '@kron/cli'
import type { Emit, Event, Level, Value } from './event.ts'
import { printShort } from './short.ts'

const RANK: Readonly<Record<Level, number>> = { debug: 0, info: 1, warn: 2, error: 3 }

/** `short` is for a person at a terminal; the others are for machines. */
export type LogFormat = 'short' | 'text' | 'json'

/** `<time> level=… component=… event=… key=value…`, or JSON with the same keys. */
export function printEvent(event: Event, time: string, format: 'text' | 'json'): string {
  const { level, component, event: name, ...rest } = event
  const ordered = { level, component, event: name, ...rest }
  if (format === 'json') return visibleJson(JSON.stringify({ time, ...ordered }))
  const fields = Object.entries(ordered).map(([key, value]) => `${key}=${printValue(value ?? '')}`)
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
  readonly write: (text: string) => void
  /** Calls back when nothing more urgent is left to do. */
  readonly later: (flush: () => void) => void
}

/** Lines are printed and written together, and not while jobs wait to start; an error is written at once. */
export function makeLog({ format, level, now, write, later, ...options }: LogOptions): {
  emit: Emit
  flush: () => void
} {
  const print = linePrinter(format, options.hasPriorities)
  let waiting: { readonly event: Event; readonly at: number }[] = []
  const flush = (): void => {
    if (waiting.length === 0) return
    const lines = waiting
    waiting = []
    const text = lines.map(({ event, at }) => print(event, timestamp(at))).join('')
    if (text !== '') write(text)
  }
  const emit: Emit = event => {
    if (RANK[event.level] < RANK[level]) return
    if (waiting.length === 0) later(flush)
    waiting.push({ event, at: now() })
    if (event.level === 'error') flush()
  }
  return { emit, flush }
}
