import { crc32 } from 'node:zlib'
import { IncompatibleStateError, printInstant, quote } from '@kron/core'
import { USAGE_KEYS } from './run-usage.ts'
import type { ActiveState, HistoryEntry, ManualRun, RangeRecord, RunEnding, State } from './state.ts'

/** The parsed text of a state file: a state, or text that differs from what was written. */
export type StateDocument = { readonly kind: 'state'; readonly state: State } | { readonly kind: 'corrupt' }

type Json = { readonly [key: string]: unknown }

/** One step from an older layout to the next; it must not lose handled periods. */
export type Migration = (document: Json) => Json

/** Migrations by the version they start from. */
export type Migrations = Readonly<Record<string, Migration>>

export const STATE_VERSION = '1'
const MIGRATIONS: Migrations = {}

const CHECKSUM = '"Checksum": "'
const TAIL = '"\n}\n'

/** The text of a state file, with a checksum over everything before it. */
export function printState(state: State): string {
  const body = `${JSON.stringify(state, null, 1).slice(0, -2)},\n `
  return `${body}${CHECKSUM}${checksumOf(body)}${TAIL}`
}

export const checksumOf = (body: string): string => crc32(body).toString(16).padStart(8, '0')

/**
 * Whether the text is unchanged since it was written. Files of older versions have no checksum; for them, an unknown
 * key means damage.
 */
function isWhole(text: string, document: Json): boolean {
  const at = text.lastIndexOf(CHECKSUM)
  if (at < 0)
    return document['Version'] !== STATE_VERSION || Object.keys(document).every(key => KEYS.has(key))
  return text.slice(at) === `${CHECKSUM}${checksumOf(text.slice(0, at))}${TAIL}`
}

const KEYS: ReadonlySet<string> = new Set([
  'Version',
  'Identity',
  'Seq',
  'FirstSeen',
  'HandledThrough',
  'HandledPeriods',
  'HandledRanges',
  'SweptRanges',
  'KeepUntil',
  'LastHandledPeriodID',
  'LastOutcome',
  'LastReason',
  'LastChosenTime',
  'LastNominalTime',
  'LastRunTime',
  'LastExitCode',
  'SeedHash',
  'ActiveExecution',
  'ConcurrentExecutions',
  'History',
])

/**
 * Reads a state file. Not JSON, or a wrong checksum → corrupt; a newer version, a failed migration, a missing field or
 * another job's identity → IncompatibleStateError, because guessing could run a period twice. `now` replaces values
 * that files of other programs omit.
 */
export function readState(
  text: string,
  identity: string,
  now: number,
  migrations: Migrations = MIGRATIONS,
): StateDocument {
  let document: unknown
  try {
    document = JSON.parse(text)
  } catch {
    return { kind: 'corrupt' }
  }
  const refuse = (why: string): never => {
    throw new IncompatibleStateError(why, { component: 'state', operation: 'read state', identity })
  }
  if (!isObject(document)) return refuse('the state file does not hold a JSON object')
  if (!isWhole(text, document)) return { kind: 'corrupt' }
  const current = migrate(document, migrations, refuse)
  const field = new Fields(current, refuse)
  if (field.text('Identity') !== identity) {
    return refuse(`the state file belongs to another job: ${String(current['Identity'])}`)
  }
  const last = field.text('LastHandledPeriodID')
  const firstSeen = field.textOr('FirstSeen', last || printInstant(now))
  const handledRanges = ranges(field.list('HandledRanges'), refuse)
  const sweptRanges = ranges(field.list('SweptRanges'), refuse)
  return {
    kind: 'state',
    state: {
      Version: STATE_VERSION,
      Identity: identity,
      Seq: field.number('Seq'),
      FirstSeen: firstSeen,
      HandledThrough: field.textOr('HandledThrough', last || firstSeen),
      HandledPeriods: field
        .list('HandledPeriods')
        .map(each => (typeof each === 'string' ? each : refuse('a handled period is not text'))),
      ...(handledRanges && { HandledRanges: handledRanges }),
      ...(sweptRanges && { SweptRanges: sweptRanges }),
      ...(current['KeepUntil'] == null ? {} : { KeepUntil: field.text('KeepUntil') }),
      LastHandledPeriodID: last,
      LastOutcome: outcome(field.text('LastOutcome'), refuse),
      LastReason: field.textOr('LastReason', ''),
      LastChosenTime: field.text('LastChosenTime'),
      LastNominalTime: field.text('LastNominalTime'),
      LastRunTime: field.textOr('LastRunTime', ''),
      LastExitCode: typeof current['LastExitCode'] === 'number' ? current['LastExitCode'] : null,
      SeedHash: field.textOr('SeedHash', ''),
      ActiveExecution: current['ActiveExecution'] == null ? null : active(current['ActiveExecution'], refuse),
      ConcurrentExecutions: field.list('ConcurrentExecutions').map(each => active(each, refuse)),
      History: field.list('History').map(each => historyEntry(each, refuse)),
      ...manualRuns(field.list('ManualRuns'), refuse),
    },
  }
}

/** Undefined if there are none, as in most states. */
function ranges(
  list: readonly unknown[],
  refuse: (why: string) => never,
): readonly RangeRecord[] | undefined {
  if (list.length === 0) return undefined
  return list.map(each => {
    if (!isObject(each)) return refuse('a range of periods is not an object')
    const field = new Fields(each, refuse)
    return { After: field.text('After'), Through: field.text('Through') }
  })
}

function migrate(document: Json, migrations: Migrations, refuse: (why: string) => never): Json {
  let current = document
  for (let steps = 0; current['Version'] !== STATE_VERSION; steps++) {
    const version = current['Version']
    if (typeof version !== 'string') return refuse('the state file has no Version')
    const step = Object.hasOwn(migrations, version) ? migrations[version] : undefined
    if (step === undefined || steps > 100) {
      return refuse(`state version ${version} is not supported: this program reads version ${STATE_VERSION}`)
    }
    try {
      current = step(current)
    } catch (cause) {
      return refuse(`the migration from state version ${version} failed: ${String(cause)}`)
    }
  }
  return current
}

/** The fields of an object, with a refusal if one has another type. */
class Fields {
  readonly #document: Json
  readonly #refuse: (why: string) => never

  constructor(document: Json, refuse: (why: string) => never) {
    this.#document = document
    this.#refuse = refuse
  }

  textOr(key: string, fallback: string | undefined): string {
    const value = this.#document[key] ?? fallback
    return typeof value === 'string' ? value : this.#refuse(`the state file has no ${key}`)
  }

  text(key: string): string {
    return this.textOr(key, undefined)
  }

  /** 0 if it is absent. */
  number(key: string): number {
    const value = this.#document[key] ?? 0
    return typeof value === 'number' && Number.isFinite(value)
      ? value
      : this.#refuse(`${key} of the state file is not a number`)
  }

  list(key: string): readonly unknown[] {
    const value = this.#document[key] ?? []
    return Array.isArray(value) ? value : this.#refuse(`${key} of the state file is not a list`)
  }
}

const OUTCOMES: readonly string[] = ['', 'executed', 'skipped', 'missed', 'unschedulable']

const manualRuns = (values: readonly unknown[], refuse: (why: string) => never): Pick<State, 'ManualRuns'> =>
  values.length === 0 ? {} : { ManualRuns: values.map(each => manualRun(each, refuse)) }

function manualRun(value: unknown, refuse: (why: string) => never): ManualRun {
  const run = active(value, refuse)
  const given = value as Json
  const field = new Fields(given, refuse)
  const { CompletedAt, ExitCode, Reason, Signal, ...figures } = endingOf(given, field)
  return {
    ...run,
    RequestID: field.text('RequestID'),
    User: field.text('User'),
    ...(CompletedAt === '' ? {} : { CompletedAt, ExitCode, ...figures }),
    ...(Reason === undefined ? {} : { Reason }),
    ...(Signal === undefined ? {} : { Signal }),
  }
}

function historyEntry(value: unknown, refuse: (why: string) => never): HistoryEntry {
  if (!isObject(value)) return refuse('a history entry is not an object')
  const field = new Fields(value, refuse)
  // Filled key by key, because a state has many entries and is read at every start.
  const entry: Writable<HistoryEntry> = {
    PeriodID: field.text('PeriodID'),
    Outcome: outcome(field.text('Outcome'), refuse) || refuse('a history entry has no outcome'),
    NominalTime: field.textOr('NominalTime', ''),
    ChosenTime: field.textOr('ChosenTime', ''),
    CompletedAt: '',
    ExitCode: null,
  }
  addEnding(entry, value, field)
  if (value['StartedAt'] != null) entry.StartedAt = field.text('StartedAt')
  if (value['ExecutionID'] != null) entry.ExecutionID = field.text('ExecutionID')
  // Anything but an absent mark counts as one: an example must never pass for a run.
  if (value['Example'] != null) entry.Example = true
  if (value['Forgotten'] === true) entry.Forgotten = true
  return entry
}

type Writable<T> = { -readonly [Key in keyof T]: T[Key] }

function endingOf(value: Json, field: Fields): RunEnding {
  const ending: Writable<RunEnding> = { CompletedAt: '', ExitCode: null }
  addEnding(ending, value, field)
  return ending
}

/** Adds the end of a run, with its measurements. */
function addEnding(to: Writable<RunEnding>, value: Json, field: Fields): void {
  to.CompletedAt = field.textOr('CompletedAt', '')
  to.ExitCode = typeof value['ExitCode'] === 'number' ? value['ExitCode'] : null
  if (value['Reason'] != null) to.Reason = field.text('Reason')
  if (value['Signal'] != null) to.Signal = field.text('Signal')
  for (const key of FIGURES) if (value[key] != null) to[key] = field.number(key)
}

const FIGURES = ['DurationMs', ...Object.values(USAGE_KEYS)] as const

const outcome = (text: string, refuse: (why: string) => never): State['LastOutcome'] =>
  OUTCOMES.includes(text) ? (text as State['LastOutcome']) : refuse(`${quote(text)} is not an outcome`)

function active(value: unknown, refuse: (why: string) => never): ActiveState {
  if (!isObject(value)) return refuse('an active execution is not an object')
  const field = new Fields(value, refuse)
  return {
    PeriodID: field.text('PeriodID'),
    PID: field.number('PID'),
    StartedAt: field.textOr('StartedAt', ''),
    ChosenTime: field.textOr('ChosenTime', ''),
    ExecutionID: field.textOr('ExecutionID', ''),
    BootID: field.textOr('BootID', ''),
    BootTime: field.number('BootTime'),
    ProcessStart: field.number('ProcessStart'),
    ...(value['Launcher'] == null ? {} : { Launcher: field.text('Launcher') }),
    ...(value['Claims'] == null ? {} : { Claims: field.text('Claims') }),
    ...(value['ShimPID'] == null ? {} : { ShimPID: field.number('ShimPID') }),
  }
}

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
