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

/** The reason why the API server created no Job. The condition and the Event use the same name. */
export type FailureReason = (typeof FAILURE_REASONS)[number]

export interface Failure {
  readonly reason: FailureReason
  readonly message: string
  /** Whether it is certain that no Job was created. If not, the answer was lost. */
  readonly certain: boolean
}

/** Statuses of requests refused before anything is stored. A 503 means that the server accepts no requests. */
const CERTAIN = [400, 401, 403, 404, 405, 409, 413, 415, 422, 429, 503]

/** The failure for an error of a dry run. An invalid template is the author's mistake. */
export function dryRunFailureOf(error: ApiError): Failure {
  const failure = failureOf(error)
  const isMistake = failure.reason === 'Rejected' && (error.status === 400 || error.status === 422)
  return isMistake ? { ...failure, reason: 'TemplateRefused' } : failure
}

/** The failure for an error of a creation. */
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

/** Whether a policy or webhook denied the request. It may allow it later, even if the KronJob has not changed. */
const isDenial = ({ status, message }: ApiError): boolean =>
  status >= 400 && status < 500 && / denied (the )?request|violates PodSecurity/.test(message)
