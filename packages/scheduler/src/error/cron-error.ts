import { messageOf, SchedulerError, withCause } from './scheduler-error.ts'

export interface FieldDetails {
  readonly fieldValue: string
  readonly fieldName: string
}

export class FieldParseError extends SchedulerError<FieldDetails> {
  override get name() {
    return 'FieldParseError'
  }

  constructor(fieldName: string, fieldValue: string, reason: string) {
    super(`${fieldName} field ${reason}`, { fieldValue, fieldName })
  }
}

export interface InvalidCronDetails {
  readonly expression: string
  readonly field: string
  readonly reason: string
  readonly cause?: unknown
}

export class InvalidCronExpressionError extends SchedulerError<InvalidCronDetails> {
  override get name() {
    return 'InvalidCronExpressionError'
  }

  constructor(details: InvalidCronDetails, cause?: unknown) {
    const { expression, field, reason } = details
    const message = `Invalid cron expression "${expression}": ${field} field ${reason}`
    super(message, withCause(details, cause), cause)
  }
}

export interface CalculationDetails {
  readonly expression: string
  readonly currentTime: string
  readonly cause: Error
}

export class CronCalculationError extends SchedulerError<CalculationDetails> {
  override get name() {
    return 'CronCalculationError'
  }

  constructor(details: CalculationDetails) {
    super(`Failed to calculate next occurrence: ${messageOf(details.cause)}`, details, details.cause)
  }
}
