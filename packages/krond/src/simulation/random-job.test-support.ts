import type { Chance } from './chance.test-support.ts'

const CRONS = [
  '* * * * *',
  '*/5 * * * *',
  '0 * * * *',
  '30 2 * * *',
  '0 0 * * 1',
  '15 */6 1,15 * *',
  '0 1,2,3 * * 0',
]
const ZONES = ['UTC', 'Europe/Paris', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kathmandu']
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
const LIMITS = ['', '', '', '@only(hours=1-20)', '@avoid(between=02:00-03:30)', '@only(dow=MON-FRI)']

/** A job line of a given name; everything else is left to chance. */
export function randomJob(name: string, chance: Chance): string {
  const concurrency = chance.pick(['allow', 'forbid', 'replace'])
  const suspend = chance.happens(0.05) ? ',suspend=true' : ''
  const policy = `@policy(concurrency=${concurrency},deadline=${chance.pick(DEADLINES)}${suspend})`
  const parts = [
    chance.pick(CRONS),
    `@tz(${chance.pick(ZONES)})`,
    chance.pick(WINDOWS),
    chance.pick(SPREADS),
    chance.pick(LIMITS),
    policy,
    chance.happens(0.2) ? 'timeout=10m' : '',
    `name=${name} command=/bin/true`,
  ]
  return parts.filter(part => part !== '').join(' ')
}
