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

/** The numbers of jobs that a reload added, changed, removed and left unchanged. */
export interface Changes {
  readonly added: number
  readonly changed: number
  readonly removed: number
  readonly unchanged: number
}

/** One event: the source of a log line, a metric, a message of the live feed and the assertions of tests. */
export type Event = DecisionStep | ReturnType<Maker>

export type EventName = Event['event']

/** The functions below that make an event; their results are the closed union of all events. */
type Maker =
  | typeof decisionMade
  | typeof triggered
  | typeof queued
  | typeof started
  | typeof finished
  | typeof timedOut
  | typeof replaced
  | typeof claimedBefore
  | typeof adopted
  | typeof notExecuted
  | typeof output
  | typeof outputDropped
  | typeof notified
  | typeof notNotified
  | typeof rescheduled
  | typeof clockJumped
  | typeof stateCorrupt
  | typeof roomAgain
  | typeof loading
  | typeof startedDaemon
  | typeof listening
  | typeof logDropped
  | typeof periodsReopened
  | typeof zonesChanged
  | typeof reloaded
  | typeof reloadRefused
  | typeof stopping
  | typeof stopped
  | typeof warned
  | typeof failed

interface StepCommon {
  readonly level: 'debug'
  readonly component: 'scheduler'
  readonly identity: string
  readonly period_id: string
}
interface Sample extends StepCommon {
  readonly attempt: number
  readonly candidate: string
}
type DecisionStep =
  | (StepCommon & {
      readonly event: 'seed_computed'
      readonly period_key: string
      readonly seed_hash: string
    })
  | (Sample & { readonly event: 'sample'; readonly u: number })
  | (Sample & { readonly event: 'constraint_reject'; readonly rejected_by: string })

/** A field by its printed name, for printers alone. */
export const fieldOf = (event: Event, name: string): Value | undefined =>
  (event as Readonly<Record<string, Value | undefined>>)[name]

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

/** All fields that are needed to recompute the decision, under SPEC.md's names. */
export function decisionMade(decision: Decision) {
  const record = recordOf(decision)
  // Written out: a loop over the fields would cost more than the decision itself.
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
  return { level: 'info', component: 'scheduler', event: 'decision', ...fields } as const
}

type DecisionFields = {
  readonly [Key in keyof DecisionRecord as SnakeCase<Key>]: DecisionRecord[Key] extends Value | undefined
    ? DecisionRecord[Key]
    : string
}

type SnakeCase<Text extends string> = Text extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${SnakeCase<Rest>}`
  : Text

/** The steps of a decision, for level debug: its seed, every sample, and the constraint that refused one. */
export function decisionSteps(decision: Decision): DecisionStep[] {
  const common = { level: 'debug', component: 'scheduler', ...of(decision) } as const
  const { periodKey, seedHash } = decision
  const steps: DecisionStep[] = [
    { ...common, event: 'seed_computed', period_key: periodKey, seed_hash: seedHash },
  ]
  for (const [index, { u, candidate, rejectedBy }] of attemptsOf(decision).entries()) {
    const sample = { attempt: index + 1, candidate: printInstant(candidate) }
    steps.push({ ...common, event: 'sample', ...sample, u })
    if (rejectedBy !== undefined)
      steps.push({ ...common, event: 'constraint_reject', ...sample, rejected_by: rejectedBy })
  }
  return steps
}

export const triggered = (decision: Decision, verdict: string, lateness: number) =>
  ({
    level: 'debug',
    component: 'scheduler',
    event: 'trigger',
    ...of(decision),
    verdict,
    lateness_seconds: lateness,
  }) as const

export const queued = (decision: Decision, waiting: number) =>
  ({
    level: 'info',
    component: 'scheduler',
    event: 'queued',
    ...of(decision),
    waiting,
  }) as const

export const started = (execution: Execution, lateness: number) =>
  ({
    level: 'info',
    component: 'execution',
    event: 'started',
    ...ofExecution(execution),
    chosen_time: execution.chosenTime,
    lateness_ms: lateness,
  }) as const

export const finished = (
  execution: Execution,
  ending: Ending,
  duration: number,
  reason: string | undefined,
) =>
  ({
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
  }) as const

/** A run that a later period replaced is not a failure. */
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

export const timedOut = (execution: Execution) =>
  ({
    level: 'warn',
    component: 'execution',
    event: 'timed_out',
    ...ofExecution(execution),
  }) as const

export const replaced = (execution: Execution) =>
  ({
    level: 'info',
    component: 'execution',
    event: 'replaced',
    ...ofExecution(execution),
  }) as const

/** The claim of a period existed already, although the state did not say so. */
export const claimedBefore = (decision: Decision, trace: string) =>
  ({
    level: 'warn',
    component: 'execution',
    event: 'claimed_before',
    ...of(decision),
    run: trace,
  }) as const

export const adopted = (execution: Execution) =>
  ({
    level: 'info',
    component: 'execution',
    event: 'adopted',
    ...ofExecution(execution),
  }) as const

const MERELY_LATE: ReadonlySet<string> = new Set(['deadline', 'superseded', 'queue', 'state_corrupt'])

/** A period that ended without an execution; none of these is an error. */
export function notExecuted(decision: Decision, outcome: Exclude<Outcome, 'executed'>, reason: string) {
  const common = {
    component: 'scheduler',
    ...of(decision),
    outcome,
    reason,
    chosen_time: decision.chosen === null ? '' : printInstant(decision.chosen),
  } as const
  switch (outcome) {
    case 'skipped':
      return { level: 'info', ...common, event: 'skipped_concurrency' } as const
    case 'missed':
      // Lateness is not an error; a command that could not be started is one.
      return {
        level: MERELY_LATE.has(reason) ? 'info' : 'warn',
        ...common,
        event: 'missed_deadline',
      } as const
    case 'unschedulable':
      return { level: 'warn', ...common, event: 'constraint_unsatisfiable' } as const
  }
}

/** A line that a job printed. */
export const output = (identity: string, executionId: string, stream: 'out' | 'err', text: string) =>
  ({
    level: 'info',
    component: 'execution',
    event: 'output',
    identity,
    execution_id: executionId,
    stream,
    text,
  }) as const

export const outputDropped = (identity: string, executionId: string, bytes: number) =>
  ({
    level: 'warn',
    component: 'execution',
    event: 'output',
    identity,
    execution_id: executionId,
    dropped_bytes: bytes,
    message: 'the job printed faster than the log took it; the kept copy has its beginning and its end',
  }) as const

/** A notification target has accepted a message. */
export const notified = (record: OutcomeRecord, event: string, target: string) =>
  ({
    level: 'info',
    component: 'daemon',
    event: 'notified',
    ...told(record, event, target),
  }) as const

/** The target did not accept the message; krond tries again for a day. */
export const notNotified = (record: OutcomeRecord, event: string, target: string, message: string) =>
  ({
    level: 'warn',
    component: 'daemon',
    event: 'notify_failed',
    ...told(record, event, target),
    message,
  }) as const

const told = ({ identity, periodId }: OutcomeRecord, about: string, target: string) => ({
  identity,
  period_id: periodId ?? '',
  about,
  target,
})

export const rescheduled = (decision: Decision, retryAt: string, tries: number) =>
  ({
    level: 'info',
    component: 'scheduler',
    event: 'reschedule',
    ...of(decision),
    retry_at: retryAt,
    tries,
  }) as const

export const clockJumped = (kind: 'forward' | 'backward', by: number) =>
  ({
    level: kind === 'backward' ? 'warn' : 'info',
    component: 'scheduler',
    event: 'clock_jump',
    direction: kind,
    by_ms: Math.round(by),
  }) as const

export const stateCorrupt = (identity: string, movedTo: string) =>
  ({
    level: 'error',
    component: 'state',
    event: 'state_corrupt',
    identity,
    moved_to: movedTo,
  }) as const

export const roomAgain = (free: number) =>
  ({
    level: 'info',
    component: 'state',
    event: 'disk_room',
    free_bytes: free,
  }) as const

export const loading = (jobs: number, done: number) =>
  ({
    level: 'info',
    component: 'daemon',
    event: 'loading',
    jobs,
    done,
  }) as const

export const startedDaemon = (jobs: number, adopted: number, refusedFiles: number, zoneData: string) =>
  ({
    level: 'info',
    component: 'daemon',
    event: 'started_daemon',
    jobs,
    adopted,
    refused_files: refusedFiles,
    zone_data: zoneData,
  }) as const

export const listening = (address: string) =>
  ({
    level: 'info',
    component: 'daemon',
    event: 'listening',
    address,
  }) as const

export const waitingForLock = (path: string) =>
  warned('lock', `${path} is locked; waiting up to 10 s for an earlier krond to let go`)

/** The reader of the log was too slow, or did not read at all. */
export const logDropped = (lines: number) =>
  ({
    level: 'warn',
    component: 'daemon',
    event: 'log_dropped',
    lines,
    message: 'the reader of the log did not keep up; these lines are lost',
  }) as const

/** The clock was ahead: periods that were passed over meanwhile will run. */
export const periodsReopened = (jobs: number) =>
  ({
    level: 'warn',
    component: 'scheduler',
    event: 'periods_reopened',
    jobs,
    message:
      'the clock had been ahead; periods that it passed over and that are still to come run again on time',
  }) as const

/** An update of the host's time zone data is now in use. */
export const zonesChanged = (zones: readonly string[], source: string, jobs: number) =>
  ({
    level: 'info',
    component: 'configuration',
    event: 'zones_changed',
    zones: zones.join(' '),
    zone_data: source,
    changed: jobs,
  }) as const

export const reloaded = (changes: Changes, refusedFiles: number) =>
  ({
    level: 'info',
    component: 'configuration',
    event: 'reload',
    ...changes,
    refused_files: refusedFiles,
  }) as const

export const reloadRefused = (errors: number) =>
  ({
    level: 'warn',
    component: 'configuration',
    event: 'reload',
    errors,
    message: 'the new configuration has mistakes; the old one stays',
  }) as const

export const stopping = (running: number, how: string) =>
  ({
    level: 'info',
    component: 'daemon',
    event: 'shutdown',
    phase: 'stopping',
    running,
    how,
  }) as const

export const stopped = (left: number) =>
  ({
    level: 'info',
    component: 'daemon',
    event: 'shutdown',
    phase: 'stopped',
    left_running: left,
  }) as const

export const warned = (operation: string, message: string) =>
  ({
    level: 'warn',
    component: 'daemon',
    event: 'warning',
    operation,
    message,
  }) as const

/**
 * ERROR-MODEL.md's logging contract. A mistake in a job file is logged with its place and kind alone: the file may be
 * private, and logs and the feed have other readers. `krontab lint` and `krond validate` show the text.
 */
export const failed = (error: KronError, decision?: Decision) =>
  ({
    level: 'error',
    component: error.component as Component,
    event: 'error',
    identity: error.identity ?? decision?.job.identity ?? '',
    period_id: error.periodId ?? (decision === undefined ? '' : printInstant(decision.nominal)),
    error_type: error.category,
    operation: error.operation,
    ...(error.place === undefined ? words(error) : placeOf(error.place, error.operation)),
  }) as const

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
