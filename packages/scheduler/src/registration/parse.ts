import { parseCronField, parseSchedule } from '@kron/core'
import { parseCron } from '../cron/cron.ts'
import { fixedZone, POSIX_RULES, type ScheduleRules, type TaskSchedule } from '../cron/task-schedule.ts'
import { CronCalculationError, InvalidCronExpressionError } from '../error/cron-error.ts'
import {
  CronExpressionInvalidError,
  InvalidRegistrationError,
  NegativeRetryDelayError,
  RegistrationShapeError,
  RegistrationsNotArrayError,
  ScheduleDuplicateTaskError,
} from '../error/registration-error.ts'
import { typeName } from '../error/type-name.ts'
import { isoTime } from '../iso-time.ts'
import type { Callback, Registration } from './registration.ts'
import { delayProblem, delayShapeProblem, readRetryDelay } from './retry-delay.ts'
import { isRetryPolicy, PolicyProblem, type Retry, readRetryPolicy } from './retry-policy.ts'

/** A valid list of registrations, with one column per part. */
export interface TaskList {
  readonly names: readonly string[]
  readonly rules: ScheduleRules
  readonly crons: readonly TaskSchedule[]
  /** For each task, the index of its cron in `crons`. */
  readonly cronOf: Uint32Array
  readonly callbacks: readonly Callback[]
  readonly retryDelays: Float64Array
  /** The retry policies, for tasks that have more than a delay. */
  readonly retries: ReadonlyMap<number, Retry>
}

/** A registration whose delay is not checked yet. */
type Received = readonly [name: string, expression: string, callback: Callback, delay: unknown]

/** Throws the first error in a list of registrations. */
export function validateRegistrations(
  registrations: unknown,
  now = Date.now(),
  rules: Partial<ScheduleRules> = {},
): asserts registrations is readonly Registration[] {
  parseRegistrations(registrations, now, { ...POSIX_RULES, ...rules })
}

/** Parses a list of registrations. Throws the first error in it. */
export function parseRegistrations(
  registrations: unknown,
  now: number,
  rules: ScheduleRules = POSIX_RULES,
): TaskList {
  if (!Array.isArray(registrations)) throw new RegistrationsNotArrayError()
  const size = registrations.length
  const names = new Array<string>(size)
  const callbacks = new Array<Callback>(size)
  const cronOf = new Uint32Array(size)
  const retryDelays = new Float64Array(size)
  const retries = new Map<number, Retry>()
  const crons: TaskSchedule[] = []
  const known = new Map<string, number>()
  const taken = new Set<string>()
  for (let row = 0; row < size; row++) {
    const received: unknown = registrations[row]
    checkNamed(row, received)
    checkWork(row, received)
    // Access by index, because destructuring a tuple creates an iterator.
    const name = received[0]
    const expression = received[1]
    const delay = received[3]
    const retry = isRetryPolicy(delay) ? policyOf(row, delay) : undefined
    if (retry !== undefined) retries.set(row, retry)
    const retryDelay = retry?.delayMs ?? delayOf(row, received, delay)
    names[row] = name
    taken.add(name)
    if (taken.size === row) throw new ScheduleDuplicateTaskError(row, name)
    let cron = known.get(expression)
    if (cron === undefined) {
      cron = crons.push(readSchedule(row, expression, now, rules)) - 1
      known.set(expression, cron)
    }
    checkDelay(row, delay, retryDelay)
    cronOf[row] = cron
    callbacks[row] = received[2]
    retryDelays[row] = retryDelay
  }
  return { names, rules, crons, cronOf, callbacks, retryDelays, retries }
}

function checkNamed(index: number, received: unknown): asserts received is readonly unknown[] {
  if (!Array.isArray(received)) throw misshapen(index, received, 'expected an array of 4, got', received)
  if (received.length !== 4)
    throw new RegistrationShapeError(index, received, `expected an array of 4, got one of ${received.length}`)
  const name: unknown = received[0]
  if (typeof name !== 'string') throw misshapen(index, received, 'the name must be a string, got', name)
  if (name === '') throw new InvalidRegistrationError(index, 'name', name, 'must not be empty')
}

function checkWork(index: number, received: readonly unknown[]): asserts received is Received {
  const expression = received[1]
  if (typeof expression !== 'string')
    throw misshapen(index, received, 'the cron expression must be a string, got', expression)
  const callback = received[2]
  if (typeof callback !== 'function')
    throw misshapen(index, received, 'the callback must be a function, got', callback)
}

const misshapen = (index: number, received: unknown, problem: string, value: unknown) =>
  new RegistrationShapeError(index, received, `${problem} ${typeName(value)}`)

function delayOf(index: number, received: unknown, given: unknown): number {
  let delay: number | undefined
  try {
    delay = readRetryDelay(given)
  } catch (error) {
    throw new InvalidRegistrationError(index, 'retryDelay', given, 'could not be read', error)
  }
  if (delay === undefined) throw new RegistrationShapeError(index, received, delayShapeProblem(given))
  return delay
}

function checkDelay(index: number, given: unknown, retryDelay: number): void {
  const problem = delayProblem(retryDelay)
  if (problem !== undefined) throw new InvalidRegistrationError(index, 'retryDelay', given, problem)
  if (retryDelay < 0) throw new NegativeRetryDelayError(index, retryDelay)
}

function policyOf(index: number, given: Record<string, unknown>): Retry {
  try {
    return readRetryPolicy(given)
  } catch (error) {
    if (!(error instanceof PolicyProblem)) throw error
    throw new InvalidRegistrationError(index, `retry.${error.field}`, error.value, error.message)
  }
}

function readSchedule(index: number, expression: string, now: number, rules: ScheduleRules): TaskSchedule {
  if (rules.schedules === 'posix') return readCron(index, expression, now)
  const parsed = parseSchedule(expression, fixedZone(rules))
  if (!parsed.ok) {
    const { field = 'schedule', message, hint } = parsed.faults[0]!
    throw invalidSchedule(index, expression, field, hint === undefined ? message : `${message}; ${hint}`)
  }
  const schedule = parsed.value
  if (schedule.policy.concurrency !== 'forbid')
    throw invalidSchedule(
      index,
      expression,
      'policy',
      'has a concurrency; here a task never runs twice at once',
    )
  if (schedule.policy.suspend)
    throw invalidSchedule(index, expression, 'policy', 'suspends the task; leave it out of the list instead')
  return { expression, cron: schedule.cron, schedule }
}

const invalidSchedule = (index: number, expression: string, field: string, reason: string) =>
  new CronExpressionInvalidError(index, { expression, field, reason }, undefined)

function readCron(index: number, expression: string, now: number): TaskSchedule {
  try {
    return { expression, cron: parseCron(expression) }
  } catch (error) {
    if (!(error instanceof InvalidCronExpressionError)) throw error
    const { field, reason } = error.details
    const cause = neverMatches(error) ? neverOccurs(expression, reason, now) : error
    throw new CronExpressionInvalidError(index, { expression, field, reason }, cause)
  }
}

/** Whether each field is valid, but no month has such a day. */
function neverMatches({ details: { expression, field } }: InvalidCronExpressionError): boolean {
  if (field !== 'day') return false
  const [, , day = ''] = expression.trim().split(/[ \t]+/)
  return parseCronField(day, 'day', 'posix').ok
}

function neverOccurs(expression: string, reason: string, now: number): CronCalculationError {
  const cause = new RangeError(`the day field ${reason}`)
  return new CronCalculationError({ expression, currentTime: isoTime(now), cause })
}
