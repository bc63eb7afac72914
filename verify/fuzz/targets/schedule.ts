import { readFileSync } from 'node:fs'
import {
  DISTRIBUTION_PARAMETERS,
  decide,
  type Job,
  parseSchedule,
  prev,
  printSchedule,
  recordOf,
} from '@kron/core'
import { SET_RULES } from '../../../packages/core/src/constraint/clause.ts'
import { mustLieInside } from '../faults.ts'
import { must, type Target } from '../target.ts'

const VECTORS = new URL('../../../vectors/decisions.json', import.meta.url)
const texts = [...readFileSync(VECTORS, 'utf8').matchAll(/"schedule": ?("(?:[^"\\]|\\.)*")/g)].map(
  ([, text]) => JSON.parse(text!) as string,
)
const NOW = 1_772_323_200

type Parameter = (typeof DISTRIBUTION_PARAMETERS)[keyof typeof DISTRIBUTION_PARAMETERS][number]

const PARAMETERS: Readonly<Record<Parameter, string>> = {
  shape: 'shape=2',
  mu: 'mu=mid',
  sigma: 'sigma=20m',
  lambda: 'lambda=2',
  dir: 'dir=late',
  file: 'file=tariff',
}

export const target: Target = {
  seeds: [
    ...new Set(texts),
    '0 2 * * * @tz(Europe/Berlin) @win(around,2h) @dist(normal,sigma=20m) @seed(daily,salt="a,b")',
    '0 9 * * * @only(hours=9-17;dow=MON-FRI) @avoid(date=2026-12-25;dom=1) @policy(deadline=10m,suspend=true)',
  ],
  tokens: [
    ...'@tz( @win( @dist( @seed( @policy( @only( @avoid( ) , ; = " \\ * */5 0 2h 90s 744h'.split(' '),
    ...'after around center before Europe/Berlin UTC America/New_York'.split(' '),
    ...Object.keys(DISTRIBUTION_PARAMETERS),
    ...Object.values(PARAMETERS),
    ...'stable daily weekly salt="x"'.split(' '),
    ...'concurrency=allow forbid replace deadline=10m suspend=true'.split(' '),
    ...Object.values(SET_RULES).map(({ example }) => example),
    ...'between=09:00-17:00 date=2026-02-28 dates=2026-12-24..2026-12-31 cal=holidays'.split(' '),
  ],
  longest: 240,
  run(text) {
    const read = parseSchedule(text)
    if (!read.ok) return mustLieInside(text, read.faults)
    const printed = printSchedule(read.value)
    const again = parseSchedule(printed)
    must(again.ok && printSchedule(again.value) === printed, 'a printed schedule prints the same')
    const { cron, zone } = read.value
    const nominal = prev(cron, zone, NOW)
    if (nominal === undefined) return
    must(recordText(read.value, nominal) === recordText(again.value, nominal), 'both decide the same')
  },
}

const recordText = (schedule: Job['schedule'], nominal: number): string =>
  JSON.stringify(recordOf(decide({ identity: 'fuzz', schedule }, nominal)))
