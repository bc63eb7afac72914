import { type DecisionRecord, MAX_ATTEMPTS, UNSCHEDULABLE_REASON, type WeightsFallback } from '@kron/core'

/** A line of krond's log: a decision, another event, or a decision that lacks fields. */
export type LogLine =
  | { readonly kind: 'decision'; readonly record: DecisionRecord }
  | { readonly kind: 'other' }
  | { readonly kind: 'unreadable'; readonly why: string }

type Fields = Readonly<Record<string, unknown>>

/** Reads a line in either format; a prefix, such as syslog's own time and host, is ignored. */
export function readLogLine(line: string): LogLine {
  if (!line.includes('decision')) return { kind: 'other' }
  const fields = jsonFields(line) ?? textFields(line)
  if (fields['event'] !== 'decision') return { kind: 'other' }
  const missing = REQUIRED.filter(key => fields[key] === undefined)
  if (missing.length > 0) return { kind: 'unreadable', why: `it has no ${missing.join(', ')}` }
  const params = paramsOf(fields['params'])
  return params === undefined
    ? { kind: 'unreadable', why: 'its params are no JSON object' }
    : { kind: 'decision', record: recordFrom(fields, params) }
}

const REQUIRED = [
  'identity',
  'period_id',
  'nominal_time',
  'window_start',
  'window_end',
  'chosen_time',
  'timezone',
  'mode',
  'distribution',
  'params',
  'seed_strategy',
  'salt',
  'period_key',
  'seed_hash',
  'constraints',
  'attempt_count',
]

function recordFrom(fields: Fields, params: DecisionRecord['params']): DecisionRecord {
  const text = (key: string): string => String(fields[key] ?? '')
  const chosenTime = text('chosen_time') === 'null' ? '' : text('chosen_time')
  return {
    identity: text('identity'),
    periodId: text('period_id'),
    nominalTime: text('nominal_time'),
    windowStart: text('window_start'),
    windowEnd: text('window_end'),
    chosenTime: chosenTime === '' ? null : chosenTime,
    timezone: text('timezone'),
    mode: text('mode'),
    distribution: text('distribution'),
    params,
    seedStrategy: text('seed_strategy'),
    salt: text('salt'),
    periodKey: text('period_key'),
    seedHash: text('seed_hash'),
    constraints: text('constraints'),
    attemptCount: Number(fields['attempt_count']),
    maxAttempts: Number(fields['max_attempts'] ?? MAX_ATTEMPTS),
    unschedulable: String(fields['unschedulable'] ?? chosenTime === '') === 'true',
    ...calendarsOf(fields['calendars']),
    ...weightsOf(fields),
    reason: String(fields['reason'] ?? (chosenTime === '' ? UNSCHEDULABLE_REASON : '')),
    ...(fields['zone_data'] === undefined ? {} : { zoneData: text('zone_data') }),
  }
}

function calendarsOf(value: unknown): Pick<DecisionRecord, 'calendars'> {
  const calendars = value === undefined ? undefined : paramsOf(value)
  return calendars === undefined ? {} : { calendars: calendars as Record<string, string> }
}

function weightsOf(fields: Fields): Pick<DecisionRecord, 'weightsDigest' | 'weightsFallback'> {
  const { weights_digest: digest, weights_fallback: fallback } = fields
  return {
    ...(digest === undefined ? {} : { weightsDigest: String(digest) }),
    ...(fallback === undefined ? {} : { weightsFallback: String(fallback) as WeightsFallback }),
  }
}

function jsonFields(line: string): Fields | undefined {
  const start = line.indexOf('{"')
  if (start < 0) return undefined
  try {
    return JSON.parse(line.slice(start)) as Fields
  } catch {
    return undefined
  }
}

const FIELD = /(?<=^|\s)([a-z_]+)=("(?:[^"\\]|\\.)*"|\S*)/g

function textFields(line: string): Fields {
  const fields: Record<string, string> = {}
  for (const [, key, value] of line.matchAll(FIELD))
    fields[key!] = value!.startsWith('"') ? unquoted(value!) : value!
  return fields
}

function unquoted(text: string): string {
  try {
    return String(JSON.parse(text))
  } catch {
    return text
  }
}

function paramsOf(value: unknown): DecisionRecord['params'] | undefined {
  if (typeof value === 'object' && value !== null) return value as DecisionRecord['params']
  if (value === '') return {}
  try {
    const read: unknown = JSON.parse(String(value))
    return typeof read === 'object' && read !== null ? (read as DecisionRecord['params']) : undefined
  } catch {
    return undefined
  }
}
