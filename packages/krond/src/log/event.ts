import {
  attemptsOf,
  type Decision,
  type DecisionRecord,
  type KronError,
  OUTCOME_STYLES,
  type Outcome,
  outcomeKindOf,
  type Place,
  printInstant,
  recordOf,
} from '@kron/core'
import type { RunUsage } from '@kron/host'
import type { OutcomeRecord } from '@kron/host/api'
import type { Ending, Execution } from '../driver/execution.ts'

export type Level = 'debug' | 'info' | 'warn' | 'error'
export type Component = 'daemon' | 'configuration' | 'state' | 'scheduler' | 'execution'
export type Value = string | number | boolean | null

/** What a reload did, in jobs. */
export interface Changes {
  readonly added: number
  readonly changed: number
  readonly removed: number
  readonly unchanged: number
}

/** One thing that happened: at once a log line, a metric, a message of the live feed and what tests look at. */
export interface Event {
  readonly level: Level
  readonly component: Component
  readonly event: EventName
  readonly identity?: string
  readonly period_id?: string
  readonly [field: string]: Value | undefined
}

export type EventName =
  | 'loading'
  | 'started_daemon'
  | 'listening'
  | 'decision'
  | 'trigger'
  | 'queued'
  | 'started'
  | 'finished'
  | 'timed_out'
  | 'skipped_concurrency'
  | 'replaced'
  | 'missed_deadline'
  | 'constraint_unsatisfiable'
  | 'reschedule'
  | 'reload'
  | 'clock_jump'
  | 'adopted'
  | 'claimed_before'
  | 'output'
  | 'log_dropped'
  | 'notified'
  | 'notify_failed'
  | 'state_corrupt'
  | 'disk_room'
  | 'zones_changed'
  | 'periods_reopened'
  | 'error'
  | 'warning'
  | 'shutdown'
  | 'seed_computed'
  | 'sample'
  | 'constraint_reject'

export type Emit = (event: Event) => void

const of = ({ job, nominal }: Decision) => ({ identity: job.identity, period_id: printInstant(nominal) })

/** A manual run has an empty period and the user who asked for it. */
const ofExecution = ({ entry, periodId, id, pid, user }: Execution) => ({
  identity: entry.identity,
  period_id: periodId,
  execution_id: id,
  pid,
  ...(user === undefined ? {} : { user }),
})

/** All that is needed to recompute the decision, under SPEC.md's names. */
export function decisionMade(decision: Decision): Event {
  const record = recordOf(decision)
  // Written out: a loop over the fields would cost more than the decision.
  const fields: DecisionFields = {
    identity: record.identity,
    period_id: record.periodId,
    nominal_time: record.nominalTime,
    window_start: record.windowStart,
    window_end: record.windowEnd,
    chosen_time: record.chosenTime,
    timezone: record.timezone,
    mode: record.mode,
    distribution: record.distribution,
    params: JSON.stringify(record.params),
    seed_strategy: record.seedStrategy,
    salt: record.salt,
    period_key: record.periodKey,
    seed_hash: record.seedHash,
    constraints: record.constraints,
    attempt_count: record.attemptCount,
    max_attempts: record.maxAttempts,
    unschedulable: record.unschedulable,
    reason: record.reason,
    ...(record.zoneData === undefined ? {} : { zone_data: record.zoneData }),
    ...(record.calendars === undefined ? {} : { calendars: JSON.stringify(record.calendars) }),
  }
  return { level: 'info', component: 'scheduler', event: 'decision', ...fields }
}

type DecisionFields = {
  readonly [Key in keyof DecisionRecord as SnakeCase<Key>]: DecisionRecord[Key] extends Value | undefined
    ? DecisionRecord[Key]
    : string
}

type SnakeCase<Text extends string> = Text extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${SnakeCase<Rest>}`
  : Text

/** How a decision came about, for level debug: its seed, every sample, and what refused one. */
export function decisionSteps(decision: Decision): Event[] {
  const common = { level: 'debug', component: 'scheduler', ...of(decision) } as const
  const { periodKey, seedHash } = decision
  const steps: Event[] = [{ ...common, event: 'seed_computed', period_key: periodKey, seed_hash: seedHash }]
  for (const [index, { u, candidate, rejectedBy }] of attemptsOf(decision).entries()) {
    const sample = { attempt: index + 1, candidate: printInstant(candidate) }
    steps.push({ ...common, event: 'sample', ...sample, u })
    if (rejectedBy !== undefined)
      steps.push({ ...common, event: 'constraint_reject', ...sample, rejected_by: rejectedBy })
  }
  return steps
}

export const triggered = (decision: Decision, verdict: string, lateness: number): Event => ({
  level: 'debug',
  component: 'scheduler',
  event: 'trigger',
  ...of(decision),
  verdict,
  lateness_seconds: lateness,
})

export const queued = (decision: Decision, waiting: number): Event => ({
  level: 'info',
  component: 'scheduler',
  event: 'queued',
  ...of(decision),
  waiting,
})

export const started = (execution: Execution, lateness: number): Event => ({
  level: 'info',
  component: 'execution',
  event: 'started',
  ...ofExecution(execution),
  chosen_time: execution.chosenTime,
  lateness_ms: lateness,
})

export const finished = (
  execution: Execution,
  ending: Ending,
  duration: number,
  reason: string | undefined,
): Event => ({
  level: needsAttention(ending, reason) ? 'warn' : 'info',
  component: 'execution',
  event: 'finished',
  ...ofExecution(execution),
  exit_code: ending.exitCode,
  ...(ending.signal === null ? {} : { signal: ending.signal }),
  ...(reason === undefined ? {} : { reason }),
  chosen_time: execution.chosenTime,
  started_at: printInstant(Math.floor(execution.startedAt / 1_000)),
  duration_ms: duration,
  ...(ending.usage === undefined ? {} : usageOf(ending.usage)),
})

/** A run that a later period replaced did nothing wrong. */
function needsAttention({ exitCode, signal }: Ending, reason = ''): boolean {
  const { tone } = OUTCOME_STYLES[outcomeKindOf({ outcome: 'executed', reason, exitCode, signal })]
  return tone === 'bad' || tone === 'warning'
}

const usageOf = (usage: RunUsage) => ({
  user_cpu_ms: usage.userCpuMs,
  system_cpu_ms: usage.systemCpuMs,
  peak_memory_kib: usage.peakMemoryKib,
  printed_bytes: usage.printedBytes,
  dropped_bytes: usage.droppedBytes,
})

export const timedOut = (execution: Execution): Event => ({
  level: 'warn',
  component: 'execution',
  event: 'timed_out',
  ...ofExecution(execution),
})

export const replaced = (execution: Execution): Event => ({
  level: 'info',
  component: 'execution',
  event: 'replaced',
  ...ofExecution(execution),
})

/** The claim of a period was there already, although the state did not say so. */
export const claimedBefore = (decision: Decision, trace: string): Event => ({
  level: 'warn',
  component: 'execution',
  event: 'claimed_before',
  ...of(decision),
  run: trace,
})

export const adopted = (execution: Execution): Event => ({
  level: 'info',
  component: 'execution',
  event: 'adopted',
  ...ofExecution(execution),
})

const MERELY_LATE: ReadonlySet<string> = new Set(['deadline', 'superseded', 'queue', 'state_corrupt'])

/** A period that ended without an execution; none of these is an error. */
export function notExecuted(
  decision: Decision,
  outcome: Exclude<Outcome, 'executed'>,
  reason: string,
): Event {
  const common = {
    component: 'scheduler',
    ...of(decision),
    outcome,
    reason,
    chosen_time: decision.chosen === null ? '' : printInstant(decision.chosen),
  } as const
  switch (outcome) {
    case 'skipped':
      return { level: 'info', ...common, event: 'skipped_concurrency' }
    case 'missed':
      // Lateness is no fault; a command that could not be started is.
      return { level: MERELY_LATE.has(reason) ? 'info' : 'warn', ...common, event: 'missed_deadline' }
    case 'unschedulable':
      return { level: 'warn', ...common, event: 'constraint_unsatisfiable' }
  }
}

/** A line that a job printed. */
export const output = (
  identity: string,
  executionId: string,
  stream: 'out' | 'err',
  text: string,
): Event => ({
  level: 'info',
  component: 'execution',
  event: 'output',
  identity,
  execution_id: executionId,
  stream,
  text,
})

export const outputDropped = (identity: string, executionId: string, bytes: number): Event => ({
  level: 'warn',
  component: 'execution',
  event: 'output',
  identity,
  execution_id: executionId,
  dropped_bytes: bytes,
  message: 'the job printed faster than the log took it; the kept copy has its beginning and its end',
})

/** A target of notifications has taken a message. */
export const notified = (record: OutcomeRecord, event: string, target: string): Event => ({
  level: 'info',
  component: 'daemon',
  event: 'notified',
  ...told(record, event, target),
})

/** It did not; it is tried again for a day. */
export const notNotified = (
  record: OutcomeRecord,
  event: string,
  target: string,
  message: string,
): Event => ({
  level: 'warn',
  component: 'daemon',
  event: 'notify_failed',
  ...told(record, event, target),
  message,
})

const told = ({ identity, periodId }: OutcomeRecord, about: string, target: string) => ({
  identity,
  period_id: periodId ?? '',
  about,
  target,
})

export const rescheduled = (decision: Decision, retryAt: string, tries: number): Event => ({
  level: 'info',
  component: 'scheduler',
  event: 'reschedule',
  ...of(decision),
  retry_at: retryAt,
  tries,
})

export const clockJumped = (kind: 'forward' | 'backward', by: number): Event => ({
  level: kind === 'backward' ? 'warn' : 'info',
  component: 'scheduler',
  event: 'clock_jump',
  direction: kind,
  by_ms: Math.round(by),
})

export const stateCorrupt = (identity: string, movedTo: string): Event => ({
  level: 'error',
  component: 'state',
  event: 'state_corrupt',
  identity,
  moved_to: movedTo,
})

export const roomAgain = (free: number): Event => ({
  level: 'info',
  component: 'state',
  event: 'disk_room',
  free_bytes: free,
})

export const loading = (jobs: number, done: number): Event => ({
  level: 'info',
  component: 'daemon',
  event: 'loading',
  jobs,
  done,
})

export const startedDaemon = (
  jobs: number,
  adopted: number,
  refusedFiles: number,
  zoneData: string,
): Event => ({
  level: 'info',
  component: 'daemon',
  event: 'started_daemon',
  jobs,
  adopted,
  refused_files: refusedFiles,
  zone_data: zoneData,
})

export const listening = (address: string): Event => ({
  level: 'info',
  component: 'daemon',
  event: 'listening',
  address,
})

export const waitingForLock = (path: string): Event =>
  warned('lock', `${path} is locked; waiting up to 10 s for an earlier krond to let go`)

/** The reader of the log was too slow, or stood still. */
export const logDropped = (lines: number): Event => ({
  level: 'warn',
  component: 'daemon',
  event: 'log_dropped',
  lines,
  message: 'the reader of the log did not keep up; these lines are lost',
})

/** The clock had been ahead: periods that were passed over meanwhile will run. */
export const periodsReopened = (jobs: number): Event => ({
  level: 'warn',
  component: 'scheduler',
  event: 'periods_reopened',
  jobs,
  message:
    'the clock had been ahead; periods that it passed over and that are still to come run again on time',
})

/** An update of the host's time zone data was taken up. */
export const zonesChanged = (zones: readonly string[], source: string, jobs: number): Event => ({
  level: 'info',
  component: 'configuration',
  event: 'zones_changed',
  zones: zones.join(' '),
  zone_data: source,
  changed: jobs,
})

export const reloaded = (changes: Changes, refusedFiles: number): Event => ({
  level: 'info',
  component: 'configuration',
  event: 'reload',
  ...changes,
  refused_files: refusedFiles,
})

export const reloadRefused = (errors: number): Event => ({
  level: 'warn',
  component: 'configuration',
  event: 'reload',
  errors,
  message: 'the new configuration has mistakes; the old one stays',
})

export const stopping = (running: number, how: string): Event => ({
  level: 'info',
  component: 'daemon',
  event: 'shutdown',
  phase: 'stopping',
  running,
  how,
})

export const stopped = (left: number): Event => ({
  level: 'info',
  component: 'daemon',
  event: 'shutdown',
  phase: 'stopped',
  left_running: left,
})

export const warned = (operation: string, message: string): Event => ({
  level: 'warn',
  component: 'daemon',
  event: 'warning',
  operation,
  message,
})

/**
 * ERROR-MODEL.md's logging contract. A mistake in a job file is told by its place and kind alone: the file may be
 * private, and logs and the feed have other readers. The text is for `krontab lint` and `krond validate`.
 */
export const failed = (error: KronError, decision?: Decision): Event => ({
  level: 'error',
  component: error.component as Component,
  event: 'error',
  identity: error.identity ?? decision?.job.identity ?? '',
  period_id: error.periodId ?? (decision === undefined ? '' : printInstant(decision.nominal)),
  error_type: error.category,
  operation: error.operation,
  ...(error.place === undefined ? words(error) : placeOf(error.place, error.operation)),
})

const words = ({ message, hint }: KronError) => ({ message, ...(hint === undefined ? {} : { hint }) })

const placeOf = ({ file = '', line = 1, column }: Place, operation: string) => ({
  ...(operation === 'parse crontab'
    ? { message: 'there is a mistake in this line of the crontab', hint: `krond validate shows it` }
    : {
        message: 'there is a mistake in this line of the job file',
        hint: `krontab lint --file ${file} shows it`,
      }),
  file,
  line,
  column,
})
