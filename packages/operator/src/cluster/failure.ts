import { type ApiError, forbiddenText, isForbidden } from './api-error.ts'

export const FAILURE_REASONS = [
  'NameConflict',
  'QuotaExceeded',
  'AdmissionDenied',
  'NamespaceTerminating',
  'PermissionMissing',
  'TemplateRefused',
  'Rejected',
  'WebhookUnavailable',
  'Throttled',
  'ServerError',
  'Unreachable',
] as const

/** Why the API server made no Job; the name is the reason of the condition and of the Event. */
export type FailureReason = (typeof FAILURE_REASONS)[number]

export interface Failure {
  readonly reason: FailureReason
  readonly message: string
  /** Whether certainly no Job was created; otherwise the answer was lost. */
  readonly certain: boolean
}

/** Refusals before anything is stored; 503 comes from a server that takes no requests, not from one that lost its way. */
const CERTAIN = [400, 401, 403, 404, 405, 409, 413, 415, 422, 429, 503]

/** The failure that an error of a dry run stands for: an invalid template is the author's mistake. */
export function dryRunFailureOf(error: ApiError): Failure {
  const failure = failureOf(error)
  const isMistake = failure.reason === 'Rejected' && (error.status === 400 || error.status === 422)
  return isMistake ? { ...failure, reason: 'TemplateRefused' } : failure
}

/** The failure that an error of a creation stands for. */
export function failureOf(error: ApiError): Failure {
  const { status, unsent } = error
  const reason = reasonOf(error)
  const message = reason === 'PermissionMissing' ? forbiddenText(error) : error.message
  return { reason, message, certain: unsent || CERTAIN.includes(status) || reason === 'WebhookUnavailable' }
}

function reasonOf(error: ApiError): FailureReason {
  const { status, message } = error
  if (status === 0) return 'Unreachable'
  if (status === 429) return 'Throttled'
  if (/failed calling webhook|failed to call webhook/.test(message)) return 'WebhookUnavailable'
  if (status >= 500) return 'ServerError'
  if (isForbidden(error)) return 'PermissionMissing'
  if (/exceeded quota|insufficient quota/.test(message)) return 'QuotaExceeded'
  if (/because it is being terminated/.test(message)) return 'NamespaceTerminating'
  if (isDenial(error)) return 'AdmissionDenied'
  return 'Rejected'
}

/** A policy or webhook said no; it may say yes later although the KronJob has not changed. */
export const isDenial = ({ status, message }: ApiError): boolean =>
  status >= 400 && status < 500 && / denied (the )?request|violates PodSecurity/.test(message)
