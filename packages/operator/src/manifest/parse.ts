import {
  type Argument,
  type Constraints,
  checkOpenPeriods,
  DEFAULTS,
  type Fault,
  Faults,
  type Job,
  mergeClauses,
  parseClause,
  parseCron,
  readDist,
  readPolicy,
  readSeed,
  readWindow,
  readZone,
  type Schedule,
  type SidedClause,
} from '@kron/core'
import type { ConstraintItem, KronJobSpec } from './kronjob.ts'

/** The status is part of every object, so its set of handled periods must stay small. */
export const MOST_OPEN_PERIODS = 1_000

/** A mistake in a manifest: the fault that `krontab lint` would report, and its field. */
export interface FieldFault {
  readonly path: string
  readonly fault: Fault
}

export type ParsedSpec =
  | { readonly ok: true; readonly schedule: Schedule }
  | { readonly ok: false; readonly faults: readonly FieldFault[] }

export const printFieldFault = ({ path, fault }: FieldFault): string =>
  `${path}: ${fault.message}${fault.hint === undefined ? '' : `; ${fault.hint}`}`

/**
 * The schedule that a KronJob describes. All mistakes are reported, not only the first. Calendars and weights are still to be
 * found: `ScheduleFiles.complete`.
 */
export function parseSpec(spec: KronJobSpec): ParsedSpec {
  const found: FieldFault[] = []
  const read = <T>(path: string, reader: (faults: Faults) => T): T => {
    const faults = new Faults()
    const value = reader(faults)
    found.push(...faults.list.map(fault => ({ path, fault })))
    return value
  }
  const cron = read('spec.schedule', faults => faults.take(text(''), parseCron(spec.schedule, 'kron')))
  const zone = read('spec.timezone', faults => readZone(text(spec.timezone ?? DEFAULTS.zone.name), faults))
  const window = read('spec.window', faults => {
    return readWindow(text(spec.window?.mode ?? 'after'), text(spec.window?.duration ?? '0s'), faults)
  })
  const distribution = read('spec.distribution', faults => readDist(distributionPieces(spec), faults))
  const seed = read('spec.seed', faults => readSeed([text(spec.seed?.strategy ?? 'stable')], faults))
  const policy = read('spec.policy', faults => readPolicy(policyPieces(spec), faults))
  const constraints = readConstraints(spec, read)
  if (found.length > 0 || !cron || !zone || !window || !distribution || !seed || !policy || !constraints) {
    return { ok: false, faults: found }
  }
  const withSalt = { ...seed, salt: spec.seed?.salt ?? '' }
  const schedule: Schedule = { cron, zone, window, distribution, seed: withSalt, policy, constraints }
  read('spec', faults => checkOpenPeriods(schedule, text(spec.schedule), faults, MOST_OPEN_PERIODS))
  return found.length > 0 ? { ok: false, faults: found } : { ok: true, schedule }
}

/** The schedule with the operator's salt, unless the schedule has its own. */
export const salted = (schedule: Schedule, salt: string | undefined): Schedule =>
  salt === undefined || schedule.seed.salt !== ''
    ? schedule
    : { ...schedule, seed: { ...schedule.seed, salt } }

export const jobOf = (identity: string, schedule: Schedule): Job => ({ identity, schedule })

const text = (value: string): Argument => ({ text: value, at: 0 })

const pairs = (values: Readonly<Record<string, unknown>>): Argument[] =>
  Object.entries(values).map(([key, value]) => text(`${key}=${value}`))

const distributionPieces = ({ distribution }: KronJobSpec): Argument[] => [
  text(distribution?.name ?? 'uniform'),
  ...pairs(distribution?.params ?? {}),
]

const policyPieces = ({ policy }: KronJobSpec): Argument[] => pairs(policy ?? {})

type Read = <T>(path: string, reader: (faults: Faults) => T) => T

function readConstraints({ constraints }: KronJobSpec, read: Read): Constraints | undefined {
  const clauses: SidedClause[] = []
  for (const side of ['only', 'avoid'] as const) {
    for (const [index, item] of (constraints?.[side] ?? []).entries()) {
      const path = `spec.constraints.${side}[${index}]`
      clauses.push(...read(path, faults => readItem(side, item, faults)))
    }
  }
  return read('spec.constraints', faults => mergeClauses(clauses, text(''), faults))
}

function readItem(side: SidedClause['side'], item: ConstraintItem, faults: Faults): SidedClause[] {
  return pairs(item).flatMap(piece => {
    const clause = faults.take(piece, parseClause(piece.text))
    return clause === undefined ? [] : [{ side, clause }]
  })
}
