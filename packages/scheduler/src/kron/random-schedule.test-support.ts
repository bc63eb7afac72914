import type { Chance } from '@kron/runtime'

/** The parts of a schedule, as a text and as a KronJob's spec. */
export interface RandomSchedule {
  readonly text: string
  readonly spec: Readonly<Record<string, unknown>> & { readonly schedule: string }
}

const CRONS = [
  '*/15 * * * *',
  '0 3 * * *',
  '@hourly',
  '@daily',
  '30 8 * * MON-FRI',
  '0 */6 * * *',
  '5,35 9-17 * JAN-DEC *',
  '@weekly',
  '0 0 1 * *',
]
const ZONES = ['UTC', 'Europe/Paris', 'America/New_York', 'Asia/Kolkata', 'Australia/Lord_Howe']
const MODES = ['after', 'around', 'before']
const SPANS = ['10m', '45m', '2h', '3h30m']
const STRATEGIES = ['stable', 'daily', 'weekly']
/** Each as a modifier and as a KronJob has it. */
const DISTRIBUTIONS = [
  ['uniform', { name: 'uniform' }],
  ['skewEarly', { name: 'skewEarly' }],
  ['skewLate', { name: 'skewLate' }],
  ['normal,sigma=10m', { name: 'normal', params: { sigma: '10m' } }],
] as const

/** A schedule that core accepts; which one is up to chance. */
export function randomSchedule(chance: Chance): RandomSchedule {
  const pick = <T>(values: readonly T[]): T => chance.pick(values)
  const schedule = pick(CRONS)
  const timezone = pick(ZONES)
  const parts = [schedule, `@tz(${timezone})`]
  const spec: Record<string, unknown> & { schedule: string } = { schedule, timezone }
  if (chance.happens(0.75)) {
    const mode = pick(MODES)
    const duration = pick(SPANS)
    const [dist, distribution] = pick(DISTRIBUTIONS)
    parts.push(`@win(${mode},${duration})`, `@dist(${dist})`)
    Object.assign(spec, { window: { mode, duration }, distribution })
  }
  const strategy = pick(STRATEGIES)
  const salt = chance.happens(0.5) ? '' : `salt-${chance.between(0, 99)}`
  parts.push(salt === '' ? `@seed(${strategy})` : `@seed(${strategy},salt=${salt})`)
  spec['seed'] = { strategy, salt }
  if (chance.happens(0.3)) {
    parts.push('@policy(deadline=15m)')
    spec['policy'] = { deadline: '15m' }
  }
  return { text: parts.join(' '), spec }
}
