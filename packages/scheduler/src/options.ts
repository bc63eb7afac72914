import { randomUUID } from 'node:crypto'
import { findZone, suggestZone } from '@kron/core'
import { type SchedulerClock, systemClock } from './clock/system-clock.ts'
import type { ScheduleRules } from './cron/task-schedule.ts'
import { OptionError } from './error/option-error.ts'
import { type Logger, warningsToConsole } from './logger.ts'
import type { DurationLike } from './registration/registration.ts'
import { delayProblem, delayShapeProblem, readRetryDelay } from './registration/retry-delay.ts'
import type { Listener } from './report.ts'
import type { Store } from './store/store.ts'

export interface SchedulerOptions {
  readonly store: Store
  readonly clock?: SchedulerClock
  /** Names this instance in the records, so that another instance can tell who left a run unfinished. */
  readonly identifier?: () => string
  readonly logger?: Logger
  readonly onEvent?: Listener
  /** The schedule language: `posix` (the default), or `kron` for the full language. */
  readonly schedules?: 'posix' | 'kron'
  /** The IANA name of the zone of the schedules. The default is the clock's zone, or UTC for `kron`. */
  readonly timeZone?: string
  /** For `kron`: a task's seconds are chosen for the identity `<namespace>/<name>`. The default is `default`. */
  readonly namespace?: string
  /** The largest number of callbacks that may run at once. Unlimited if absent. */
  readonly maxConcurrent?: number
  /** The time that callbacks have after `stop()` before their signals are aborted. The default is 10 seconds. */
  readonly stopGrace?: DurationLike
}

/** The validated options, with defaults filled in. */
export interface Settings {
  readonly store: Store
  readonly clock: SchedulerClock
  readonly identifier: () => string
  readonly logger: Logger
  readonly onEvent: Listener | undefined
  readonly rules: ScheduleRules
  readonly maxConcurrent: number
  readonly stopGraceMs: number
}

const STOP_GRACE = 10_000
const NAMES: readonly (keyof SchedulerOptions)[] = [
  'store',
  'clock',
  'identifier',
  'logger',
  'onEvent',
  'schedules',
  'timeZone',
  'namespace',
  'maxConcurrent',
  'stopGrace',
]

const refuse = (option: string, value: unknown, reason: string): never => {
  throw new OptionError('makeScheduler', option, value, reason)
}

/** Reads the options and throws an `OptionError` if one is invalid. The caller may not use TypeScript. */
export function readOptions(options: SchedulerOptions): Settings {
  if (typeof options !== 'object' || options === null)
    return refuse('options', options, 'must be an object such as { store: memoryStore() }')
  for (const name of Object.keys(options))
    if (!NAMES.includes(name as keyof SchedulerOptions))
      refuse(
        name,
        (options as unknown as Record<string, unknown>)[name],
        `is no option; there are ${NAMES.join(', ')}`,
      )
  const { store, clock = systemClock, identifier = randomUUID, logger = warningsToConsole, onEvent } = options
  checkMethods('store', store, ['load', 'commit', 'close'], 'fileStore("var/scheduler") or memoryStore()')
  checkMethods('clock', clock, ['now', 'timeZone', 'setTimer', 'clearTimer'], 'systemClock')
  if (typeof logger !== 'object' || logger === null)
    refuse('logger', logger, 'must be an object such as console')
  if (typeof identifier !== 'function')
    refuse('identifier', identifier, 'must be a function that returns a name')
  if (onEvent !== undefined && typeof onEvent !== 'function') refuse('onEvent', onEvent, 'must be a function')
  const { maxConcurrent = Number.POSITIVE_INFINITY } = options
  if (typeof maxConcurrent !== 'number' || !(maxConcurrent >= 1))
    refuse('maxConcurrent', maxConcurrent, 'must be a number of at least 1')
  const rules = readRules(options)
  const stopGraceMs = readGrace(options.stopGrace ?? STOP_GRACE)
  return { store, clock, identifier, logger, onEvent, rules, maxConcurrent, stopGraceMs }
}

/** Users may write their own stores, so this checks the methods of an object and not its class. */
function checkMethods(option: string, value: unknown, methods: readonly string[], example: string): void {
  const object = (value ?? {}) as Record<string, unknown>
  const missing = methods.find(method => typeof object[method] !== 'function')
  if (missing !== undefined)
    refuse(
      option,
      value,
      `must be an object with ${methods.join(', ')}, such as ${example}; ${missing} is missing`,
    )
}

function readRules({
  schedules = 'posix',
  namespace = 'default',
  timeZone,
}: SchedulerOptions): ScheduleRules {
  if (schedules !== 'posix' && schedules !== 'kron')
    refuse('schedules', schedules, "must be 'posix' or 'kron'")
  if (typeof namespace !== 'string' || namespace === '')
    refuse('namespace', namespace, 'must be a non-empty string')
  if (timeZone === undefined) return { schedules, namespace }
  if (typeof timeZone !== 'string' || findZone(timeZone) === undefined) {
    const meant = typeof timeZone === 'string' ? suggestZone(timeZone) : undefined
    refuse('timeZone', timeZone, `must be an IANA time zone such as ${meant ?? 'Europe/Paris'}`)
  }
  return { schedules, namespace, timeZone }
}

function readGrace(given: unknown): number {
  if (given === Number.POSITIVE_INFINITY) return given
  const milliseconds = readRetryDelay(given)
  if (milliseconds === undefined) return refuse('stopGrace', given, delayShapeProblem(given))
  const problem = delayProblem(milliseconds) ?? (milliseconds < 0 ? 'must be non-negative' : undefined)
  return problem === undefined ? milliseconds : refuse('stopGrace', given, problem)
}
