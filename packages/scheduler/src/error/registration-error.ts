import { type NoDetails, SchedulerError, withCause } from './scheduler-error.ts'

export class RegistrationsNotArrayError extends SchedulerError<NoDetails> {
  override get name() {
    return 'RegistrationsNotArrayError'
  }

  constructor() {
    super('Registrations must be an array', undefined)
  }
}

/** One registration of the list is invalid. */
export abstract class RegistrationError<Details> extends SchedulerError<Details> {
  readonly registrationIndex: number

  constructor(registrationIndex: number, message: string, details: Details, cause?: unknown) {
    super(message, details, cause)
    this.registrationIndex = registrationIndex
  }
}

export interface ShapeDetails {
  readonly registrationIndex: number
  readonly received: unknown
  /** The error of the invalid part. */
  readonly cause?: unknown
}

export class RegistrationShapeError extends RegistrationError<ShapeDetails> {
  override get name() {
    return 'RegistrationShapeError'
  }

  constructor(registrationIndex: number, received: unknown, problem: string) {
    const message = 'Invalid registration shape: expected [string, string, function, Duration]'
    const cause = new TypeError(problem)
    super(registrationIndex, message, withCause({ registrationIndex, received }, cause), cause)
  }
}

export interface InvalidRegistrationDetails {
  readonly field: string
  readonly value: unknown
  readonly reason: string
  readonly cause?: unknown
}

export class InvalidRegistrationError extends RegistrationError<InvalidRegistrationDetails> {
  override get name() {
    return 'InvalidRegistrationError'
  }

  constructor(registrationIndex: number, field: string, value: unknown, reason: string, cause?: unknown) {
    const details = withCause({ field, value, reason }, cause)
    super(registrationIndex, `Invalid registration: ${field} ${reason}`, details, cause)
  }
}

export interface DuplicateDetails {
  readonly taskName: string
}

export class ScheduleDuplicateTaskError extends RegistrationError<DuplicateDetails> {
  override get name() {
    return 'ScheduleDuplicateTaskError'
  }

  constructor(registrationIndex: number, taskName: string) {
    super(registrationIndex, `Task with name "${taskName}" is already scheduled`, { taskName })
  }
}

export interface CronInvalidDetails {
  readonly expression: string
  readonly field: string
  readonly reason: string
  readonly cause?: unknown
}

export class CronExpressionInvalidError extends RegistrationError<CronInvalidDetails> {
  override get name() {
    return 'CronExpressionInvalidError'
  }

  constructor(registrationIndex: number, details: CronInvalidDetails, cause: unknown) {
    const { expression, field, reason } = details
    const message = `Invalid cron expression "${expression}": ${field} field ${reason}`
    super(registrationIndex, message, withCause(details, cause), cause)
  }
}

export interface NegativeDelayDetails {
  readonly retryDelayMs: number
}

export class NegativeRetryDelayError extends RegistrationError<NegativeDelayDetails> {
  override get name() {
    return 'NegativeRetryDelayError'
  }

  constructor(registrationIndex: number, retryDelayMs: number) {
    super(registrationIndex, 'Retry delay must be non-negative', { retryDelayMs })
  }
}
