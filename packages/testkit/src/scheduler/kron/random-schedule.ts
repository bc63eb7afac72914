import type { Chance } from '../../chance.ts'

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
/** Each as a modifier, and in the form of a KronJob. */
const DISTRIBUTIONS = [
  ['uniform', { name: 'uniform' }],
  ['skewEarly', { name: 'skewEarly' }],
  ['skewLate', { name: 'skewLate' }],
  ['normal,sigma=10m', { name: 'normal', params: { sigma: '10m' } }],
  ['exponential,lambda=4,dir=late', { name: 'exponential', params: { lambda: 4, dir: 'late' } }],
] as const
/** Each as a modifier, and in the form of a KronJob; with any cron expression, some periods are left. */
const CONSTRAINTS = [
  ['@only(months=JAN-JUN,SEP-DEC)', { only: [{ months: 'JAN-JUN,SEP-DEC' }] }],
  ['@avoid(dow=WED)', { avoid: [{ dow: 'WED' }] }],
  ['@avoid(dates=2026-04-01..2026-04-06)', { avoid: [{ dates: '2026-04-01..2026-04-06' }] }],
  [
    '@only(dom=1-27,29-31;between=00:00-23:10) @avoid(hours=12)',
    { only: [{ dom: '1-27,29-31' }, { between: '00:00-23:10' }], avoid: [{ hours: '12' }] },
  ],
] as const

/** One of the usual expressions, or one with random minutes and hours. */
function randomCron(chance: Chance): string {
  if (chance.happens(0.4)) return chance.pick(CRONS)
  const minute = chance.between(0, 59)
  const hour = chance.happens(0.5) ? '*' : `${chance.between(0, 11)},${chance.between(12, 23)}`
  return `${minute} ${hour} * * *`
}

/** A random schedule that core accepts. */
export function randomSchedule(chance: Chance): RandomSchedule {
  const pick = <T>(values: readonly T[]): T => chance.pick(values)
  const schedule = randomCron(chance)
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
  if (chance.happens(0.4)) {
    const [modifier, constraints] = pick(CONSTRAINTS)
    parts.push(modifier)
    spec['constraints'] = constraints
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
