import type * as daemonEvents from './daemon-events.ts'
import type * as executionEvents from './execution-events.ts'
import type * as schedulingEvents from './scheduling-events.ts'

export * from './daemon-events.ts'
export * from './execution-events.ts'
export type { Component, Level } from './make-event.ts'
export * from './scheduling-events.ts'

export type Value = string | number | boolean | null

/** The functions that make events; their results are the closed union of all events. */
type Makers = typeof daemonEvents & typeof executionEvents & typeof schedulingEvents
type Made<Maker> = Maker extends (...given: never[]) => infer Result
  ? Result extends readonly (infer Each)[]
    ? Each
    : Result
  : never

/** One event: the source of a log line, a metric, a message of the live feed and the assertions of tests. */
export type Event = { [Name in keyof Makers]: Made<Makers[Name]> }[keyof Makers]

export type EventName = Event['event']

export type Emit = (event: Event) => void

/** A field of any event, for printers alone. */
export const fieldOf = (event: Event, name: string): Value | undefined =>
  (event as Readonly<Record<string, Value | undefined>>)[name]

/** The fields as they are printed: names in snake_case, and records as JSON texts. */
export function printedFields(event: Event): Readonly<Record<string, Value>> {
  const printed: Record<string, Value> = {}
  for (const [name, value] of Object.entries(event)) {
    if (value === undefined) continue
    const isPlain = typeof value !== 'object' || value === null
    printed[snakeCase(name)] = isPlain ? value : JSON.stringify(value)
  }
  return printed
}

const snakeNames = new Map<string, string>()

function snakeCase(name: string): string {
  let snake = snakeNames.get(name)
  if (snake === undefined) {
    snake = name.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)
    snakeNames.set(name, snake)
  }
  return snake
}
