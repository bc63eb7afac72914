import { visible, visibleJson } from '@kron/cli'
import type { Emit, Event, Level, Value } from './event.ts'

const RANK: Readonly<Record<Level, number>> = { debug: 0, info: 1, warn: 2, error: 3 }

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

export interface LogOptions {
  readonly format: 'text' | 'json'
  readonly level: Level
  readonly now: () => number
  readonly write: (text: string) => void
  /** Calls back when there is nothing more urgent to do. */
  readonly later: (flush: () => void) => void
}

/** Lines are printed and written together, and not while jobs wait to be started; an error is written at once. */
export function makeLog({ format, level, now, write, later }: LogOptions): { emit: Emit; flush: () => void } {
  let waiting: { readonly event: Event; readonly at: number }[] = []
  const flush = (): void => {
    if (waiting.length === 0) return
    const lines = waiting
    waiting = []
    write(lines.map(({ event, at }) => `${printEvent(event, timestamp(at), format)}\n`).join(''))
  }
  const emit: Emit = event => {
    if (RANK[event.level] < RANK[level]) return
    if (waiting.length === 0) later(flush)
    waiting.push({ event, at: now() })
    if (event.level === 'error') flush()
  }
  return { emit, flush }
}
