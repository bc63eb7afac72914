import { readFileSync } from 'node:fs'
import { decide, type Job, parseSchedule, prev, printSchedule, recordOf } from '@kron/core'
import { mustLieInside } from '../faults.ts'
import { must, type Target } from '../target.ts'

const VECTORS = new URL('../../../vectors/decisions.json', import.meta.url)
const texts = [...readFileSync(VECTORS, 'utf8').matchAll(/"schedule": ?("(?:[^"\\]|\\.)*")/g)].map(
  ([, text]) => JSON.parse(text!) as string,
)
const NOW = 1_772_323_200

export const target: Target = {
  seeds: [
    ...new Set(texts),
    '0 2 * * * @tz(Europe/Berlin) @win(around,2h) @dist(normal,sigma=20m) @seed(daily,salt="a,b")',
    '0 9 * * * @only(hours=9-17;dow=MON-FRI) @avoid(date=2026-12-25;dom=1) @policy(deadline=10m,suspend=true)',
  ],
  tokens:
    '@tz( @win( @dist( @seed( @policy( @only( @avoid( ) , ; = after around before uniform normal exponential skew_early skew_late sigma=20m lambda=2 alpha=2 stable daily weekly monthly per_run salt="x" concurrency=allow forbid replace deadline=10m suspend=true hours=9-17 dow=MON-FRI dom=1-7 date=2026-02-28 month=JAN between=09:00-17:00 Europe/Berlin UTC America/New_York 2h 90s 744h " \\ * */5 0'.split(
      ' ',
    ),
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
