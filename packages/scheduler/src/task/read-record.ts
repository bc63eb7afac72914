import {
  TaskInvalidStructureError,
  TaskInvalidTypeError,
  TaskInvalidValueError,
  TaskMissingFieldError,
  type TaskTryDeserializeError,
} from '../error/record-error.ts'
import { typeName } from '../error/type-name.ts'
import type { TaskRecord } from './record.ts'

const REQUIRED_TEXTS = ['name', 'cronExpression'] as const
const REQUIRED_NUMBERS = ['retryDelayMs', 'firstSeenAt'] as const
const OPTIONAL_NUMBERS = [
  'lastAttemptAt',
  'lastSuccessAt',
  'lastFailureAt',
  'pendingRetryUntil',
  'attempt',
] as const

/** Parses a stored value as a record, or returns the reason why it is not one. Unknown fields are dropped. */
export function readRecord(value: unknown): TaskRecord | TaskTryDeserializeError {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return new TaskInvalidStructureError(value, `expected an object, got ${typeName(value)}`)
  }
  const fields = value as Record<string, unknown>
  return problemOf(fields) ?? copyOf(fields)
}

function problemOf(fields: Record<string, unknown>): TaskTryDeserializeError | undefined {
  for (const field of REQUIRED_TEXTS) {
    const problem = textProblem(field, fields[field])
    if (problem !== undefined) return problem
  }
  for (const field of REQUIRED_NUMBERS) {
    const problem =
      fields[field] === undefined ? new TaskMissingFieldError(field) : numberProblem(field, fields[field])
    if (problem !== undefined) return problem
  }
  for (const field of OPTIONAL_NUMBERS) {
    const problem = fields[field] === undefined ? undefined : numberProblem(field, fields[field])
    if (problem !== undefined) return problem
  }
  if ((fields.retryDelayMs as number) < 0) {
    return new TaskInvalidValueError('retryDelayMs', fields.retryDelayMs, 'must be non-negative')
  }
  if (fields.firstMinuteWaived !== undefined && fields.firstMinuteWaived !== true) {
    return new TaskInvalidValueError('firstMinuteWaived', fields.firstMinuteWaived, 'must be true if present')
  }
  return fields.runningBy === undefined ? undefined : textProblem('runningBy', fields.runningBy)
}

function textProblem(field: string, value: unknown): TaskTryDeserializeError | undefined {
  if (value === undefined) return new TaskMissingFieldError(field)
  if (typeof value !== 'string') return new TaskInvalidTypeError(field, value, 'string')
  return value === '' ? new TaskInvalidValueError(field, value, 'must not be empty') : undefined
}

function numberProblem(field: string, value: unknown): TaskTryDeserializeError | undefined {
  if (typeof value !== 'number') return new TaskInvalidTypeError(field, value, 'number')
  if (Number.isSafeInteger(value)) return undefined
  return new TaskInvalidValueError(field, value, 'must be a whole number of milliseconds')
}

function copyOf(fields: Record<string, unknown>): TaskRecord {
  const { name, cronExpression, retryDelayMs, firstSeenAt } = fields as unknown as TaskRecord
  const copy: Record<string, unknown> = { name, cronExpression, retryDelayMs, firstSeenAt }
  for (const field of OPTIONAL_NUMBERS) if (fields[field] !== undefined) copy[field] = fields[field]
  if (fields.firstMinuteWaived !== undefined) copy.firstMinuteWaived = true
  if (fields.runningBy !== undefined) copy.runningBy = fields.runningBy
  return copy as unknown as TaskRecord
}

/** The name of the task in damaged data, if it has one. */
export function nameIn(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const { name } = value as { name?: unknown }
  return typeof name === 'string' && name !== '' ? name : undefined
}
