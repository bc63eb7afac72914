import type { Fault } from './fault.ts'

export type Category =
  | 'ConfigurationError'
  | 'ValidationError'
  | 'SchedulingError'
  | 'ConstraintError'
  | 'ExecutionError'
  | 'PersistenceError'
  | 'SystemError'
  | 'IncompatibleStateError'

/** Where in the input an error lies; line and column count from 1. */
export interface Place {
  readonly file?: string
  readonly line?: number
  readonly column: number
  readonly length: number
  /** The whole line, for the caret under it. */
  readonly source: string
}

export interface ErrorContext {
  readonly component: string
  readonly operation: string
  readonly identity?: string
  readonly periodId?: string
  readonly hint?: string
  readonly place?: Place
  readonly cause?: unknown
}

/** Every copy of this package has the same: two bundles that throw to each other each have classes of their own. */
const FAMILY: unique symbol = Symbol.for('@kron/core KronError')

/** The closed family of ERROR-MODEL.md: the class name is the category. */
export abstract class KronError extends Error {
  abstract readonly category: Category
  readonly component: string
  readonly operation: string
  declare readonly identity?: string
  declare readonly periodId?: string
  declare readonly hint?: string
  declare readonly place?: Place

  constructor(message: string, context: ErrorContext) {
    super(message, context.cause === undefined ? undefined : { cause: context.cause })
    this.component = context.component
    this.operation = context.operation
    if (context.identity !== undefined) this.identity = context.identity
    if (context.periodId !== undefined) this.periodId = context.periodId
    if (context.hint !== undefined) this.hint = context.hint
    if (context.place !== undefined) this.place = context.place
  }

  override get name(): string {
    return this.category
  }

  get [FAMILY](): true {
    return true
  }
}

/** Unlike `instanceof`, also true of an error that another copy of this package made. */
export const isKronError = (error: unknown): error is KronError =>
  typeof error === 'object' && error !== null && FAMILY in error

export class ConfigurationError extends KronError {
  readonly category = 'ConfigurationError'
}
export class ValidationError extends KronError {
  readonly category = 'ValidationError'
}
export class SchedulingError extends KronError {
  readonly category = 'SchedulingError'
}
export class ConstraintError extends KronError {
  readonly category = 'ConstraintError'
}
export class ExecutionError extends KronError {
  readonly category = 'ExecutionError'
}
export class PersistenceError extends KronError {
  readonly category = 'PersistenceError'
}
export class SystemError extends KronError {
  readonly category = 'SystemError'
}
export class IncompatibleStateError extends KronError {
  readonly category = 'IncompatibleStateError'
}

/** The error for a fault, once its file and line are known. */
export function errorOf(
  fault: Fault,
  context: ErrorContext & { readonly source: string; readonly file?: string; readonly line?: number },
): ConfigurationError | ValidationError {
  const { source, file, line, ...rest } = context
  const place: Place = {
    ...(file === undefined ? {} : { file }),
    ...(line === undefined ? {} : { line }),
    column: fault.at + 1,
    length: fault.length,
    source,
  }
  const full = { ...rest, place, ...(fault.hint === undefined ? {} : { hint: fault.hint }) }
  return fault.category === 'ConfigurationError'
    ? new ConfigurationError(fault.message, full)
    : new ValidationError(fault.message, full)
}

const WIDEST_CARET_LINE = 100

/** The line with a caret under the fault, cut around it when the line is long. */
export function caret(place: Place): string {
  const at = place.column - 1
  const from = Math.max(0, Math.min(at - 30, place.source.length - WIDEST_CARET_LINE))
  const to = Math.min(place.source.length, from + WIDEST_CARET_LINE)
  const lead = from > 0 ? '…' : ''
  const tail = to < place.source.length ? '…' : ''
  // Tabs would shift the caret, and a terminal would obey the rest.
  const shown = place.source.slice(from, to).replace(/\p{Cc}/gu, ' ')
  const marks = '^'.repeat(Math.max(1, Math.min(place.length, to - at)))
  return `${lead}${shown}${tail}\n${' '.repeat(lead.length + at - from)}${marks}`
}
