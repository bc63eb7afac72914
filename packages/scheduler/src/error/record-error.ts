import { SchedulerError } from './scheduler-error.ts'
import { typeName } from './type-name.ts'

export interface DeserializeDetails {
  readonly field?: string
  readonly value?: unknown
  readonly expectedType?: string
}

/** A persisted value is not a task record. */
export abstract class TaskTryDeserializeError<
  Details extends DeserializeDetails = DeserializeDetails,
> extends SchedulerError<Details> {}

export class TaskMissingFieldError extends TaskTryDeserializeError<{ readonly field: string }> {
  override get name() {
    return 'TaskMissingFieldError'
  }

  constructor(field: string) {
    super(`Missing required field: ${field}`, { field })
  }
}

export interface InvalidTypeDetails {
  readonly field: string
  readonly value: unknown
  readonly expectedType: string
  readonly actualType: string
}

export class TaskInvalidTypeError extends TaskTryDeserializeError<InvalidTypeDetails> {
  override get name() {
    return 'TaskInvalidTypeError'
  }

  constructor(field: string, value: unknown, expectedType: string) {
    const actualType = typeName(value)
    super(`Invalid type for field '${field}': expected ${expectedType}, got ${actualType}`, {
      field,
      value,
      expectedType,
      actualType,
    })
  }
}

export interface InvalidValueDetails {
  readonly field: string
  readonly value: unknown
  readonly reason: string
}

export class TaskInvalidValueError extends TaskTryDeserializeError<InvalidValueDetails> {
  override get name() {
    return 'TaskInvalidValueError'
  }

  constructor(field: string, value: unknown, reason: string) {
    super(`Invalid value for field '${field}': ${reason}`, { field, value, reason })
  }
}

export class TaskInvalidStructureError extends TaskTryDeserializeError<{ readonly value: unknown }> {
  override get name() {
    return 'TaskInvalidStructureError'
  }

  constructor(value: unknown, problem: string) {
    super(`Invalid task structure: ${problem}`, { value })
  }
}
