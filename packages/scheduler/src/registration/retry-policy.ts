import { typeName } from '../error/type-name.ts'
import { delayProblem, delayShapeProblem, readRetryDelay } from './retry-delay.ts'

/** A parsed retry policy. Durations are in milliseconds. */
export interface Retry {
  readonly delayMs: number
  readonly factor: number
  readonly maxMs: number
  readonly limit: number
  readonly timeoutMs: number | undefined
}

const FIELDS = ['delay', 'factor', 'max', 'limit', 'timeout']

/** Whether the fourth element of a registration is a policy and not a duration. */
export const isRetryPolicy = (given: unknown): given is Record<string, unknown> =>
  typeof given === 'object' &&
  given !== null &&
  !('toMillis' in given) &&
  !('total' in given) &&
  'delay' in given

/** An invalid field of a policy, with the reason. */
export class PolicyProblem extends Error {
  readonly field: string
  readonly value: unknown

  constructor(field: string, value: unknown, reason: string) {
    super(reason)
    this.field = field
    this.value = value
  }
}

/** Parses a policy. Throws the first `PolicyProblem`. */
export function readRetryPolicy(given: Record<string, unknown>): Retry {
  for (const field of Object.keys(given))
    if (!FIELDS.includes(field))
      throw new PolicyProblem(field, given[field], `is unknown; a policy has ${FIELDS.join(', ')}`)
  const delayMs = millisecondsOf('delay', given['delay'])
  return {
    delayMs,
    factor: numberOf('factor', given['factor'] ?? 1, value => value >= 1, 'must be a number of at least 1'),
    maxMs: given['max'] === undefined ? Number.MAX_SAFE_INTEGER : millisecondsOf('max', given['max']),
    limit: numberOf(
      'limit',
      given['limit'] ?? Number.POSITIVE_INFINITY,
      value => value >= 0 && (Number.isInteger(value) || value === Number.POSITIVE_INFINITY),
      'must be a whole number of retries',
    ),
    timeoutMs: given['timeout'] === undefined ? undefined : millisecondsOf('timeout', given['timeout']),
  }
}

/** The retry delay after this many failed attempts in a row. Undefined if there is no retry. */
export function retryAfter({ delayMs, factor, maxMs, limit }: Retry, attempt: number): number | undefined {
  return attempt > limit ? undefined : Math.min(Math.round(delayMs * factor ** (attempt - 1)), maxMs)
}

function millisecondsOf(field: string, given: unknown): number {
  let milliseconds: number | undefined
  try {
    milliseconds = readRetryDelay(given)
  } catch {
    throw new PolicyProblem(field, given, 'could not be read')
  }
  if (milliseconds === undefined) throw new PolicyProblem(field, given, delayShapeProblem(given))
  const problem = delayProblem(milliseconds) ?? (milliseconds < 0 ? 'must be non-negative' : undefined)
  if (problem !== undefined) throw new PolicyProblem(field, given, problem)
  return milliseconds
}

function numberOf(field: string, given: unknown, isRight: (value: number) => boolean, rule: string): number {
  if (typeof given === 'number' && isRight(given)) return given
  throw new PolicyProblem(field, given, `${rule}, got ${typeof given === 'number' ? given : typeName(given)}`)
}
