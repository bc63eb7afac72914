import type { Chance } from '../../chance.ts'

/** At most a few periods a day, so that a year is simulated quickly; many lie near changes of the local clock. */
const SPARSE = [
  '30 2 * * *',
  '30 1 * * *',
  '0 0 * * 1',
  '0 3 1 * *',
  '15 */6 1,15 * *',
  '0 1,2,3 * * 0',
  '*/20 2 * * 6',
  '0 */8 * * *',
]
/** So frequent that windows overlap. */
const DENSE = ['*/20 * * * *', '0 * * * *']
const DENSEST = ['* * * * *', '*/5 * * * *']
const ZONES = [
  'UTC',
  'Europe/Paris',
  'America/New_York',
  'Australia/Lord_Howe',
  'Asia/Kathmandu',
  'Africa/Casablanca',
]
const WINDOWS = [
  '',
  '@win(after,30s)',
  '@win(after,20m)',
  '@win(around,1h)',
  '@win(after,3h)',
  '@win(before,10m)',
]
const SPREADS = ['', '@dist(skewLate)', '@dist(normal)', '@dist(exponential,lambda=4)']
const DEADLINES = ['0s', '10s', '5m', '2h', '24h']
/** For the densest schedules, so that a day does not hold tens of thousands of retries. */
const NARROW = { windows: WINDOWS.slice(0, 2), deadlines: DEADLINES.slice(0, 3) }
const LIMITS = ['', '', '', '@only(hours=1-20)', '@avoid(between=02:00-03:30)', '@only(dow=MON-FRI)']

export type Density = 'sparse' | 'dense'

/** A job line with the given name; everything else is random. */
export function randomJob(name: string, chance: Chance, density: Density = 'sparse'): string {
  const densest = density === 'dense' && chance.happens(0.5)
  const crons = densest ? DENSEST : density === 'dense' ? DENSE : SPARSE
  const { windows, deadlines } = densest ? NARROW : { windows: WINDOWS, deadlines: DEADLINES }
  const concurrency = chance.pick(['allow', 'forbid', 'replace'])
  const suspend = chance.happens(0.05) ? ',suspend=true' : ''
  const policy = `@policy(concurrency=${concurrency},deadline=${chance.pick(deadlines)}${suspend})`
  const parts = [
    chance.pick(crons),
    `@tz(${chance.pick(ZONES)})`,
    chance.pick(windows),
    chance.pick(SPREADS),
    chance.pick(LIMITS),
    policy,
    chance.happens(0.2) ? 'timeout=10m' : '',
    `name=${name} command=/bin/true`,
  ]
  return parts.filter(part => part !== '').join(' ')
}
