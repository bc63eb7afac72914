import {
  type Cron,
  type Dialect,
  findZone,
  LATEST,
  matches,
  next,
  parseCron,
  prev,
  printCron,
} from '@kron/core'
import { mustLieInside } from './faults.ts'
import { must, type Target } from './target.ts'

const TOKENS =
  '* */2 */15 */61 1-5 1-5/2 22-2 0 7 59 23 31 12 6 , - / ? L W # ~ JAN DEC SUN SAT MON-FRI jan-mar FRI-SUN 1,2,3 @daily @hourly @yearly @reboot @every H'.split(
    ' ',
  )
const SEEDS = [
  '* * * * *',
  '0 2 * * *',
  '*/15 9-17 * * MON-FRI',
  '30 4 1,15 * 5',
  '0 0 29 2 *',
  '0 0 31 4,6 *',
  '5-55/10 */6 1-7 JAN-MAR,OCT SUN',
  '@hourly',
  '@midnight',
  '0 0 30 2 *',
  '1,2,3 1-2,4 * * 7',
]
const ZONES = ['UTC', 'Europe/Berlin', 'Australia/Lord_Howe'].map(name => findZone(name)!)
/** Within the last hours before clocks change, so that gaps and folds are met. */
const MOMENTS = [0, 1_774_742_400, 1_792_886_400, 4_102_444_800, LATEST]

export const cronTarget = (dialect: Dialect): Target => ({
  seeds: SEEDS,
  tokens: TOKENS,
  longest: 120,
  run(text) {
    const read = parseCron(text, dialect)
    if (!read.ok) return mustLieInside(text, read.faults)
    const printed = printCron(read.value, dialect)
    const again = parseCron(printed, dialect)
    must(again.ok && isSame(again.value, read.value), `${printed} means the same`)
    const zone = ZONES[text.length % ZONES.length]!
    const moment = MOMENTS[text.charCodeAt(0) % MOMENTS.length]!
    const after = next(read.value, zone, moment)
    if (after === undefined || after > LATEST) return
    must(after > moment && matches(read.value, zone, after), 'the next occurrence is one and lies ahead')
    must(prev(read.value, zone, after) === after, 'an occurrence is the last one up to itself')
  },
})

const isSame = (a: Cron, b: Cron): boolean =>
  a.minutesLow === b.minutesLow &&
  a.minutesHigh === b.minutesHigh &&
  a.hours === b.hours &&
  a.days === b.days &&
  a.months === b.months &&
  a.weekdays === b.weekdays &&
  a.dayRestricted === b.dayRestricted &&
  a.weekdayRestricted === b.weekdayRestricted
