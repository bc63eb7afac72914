import { hash } from 'node:crypto'
import { decide, type Job, parseSchedule, printInstant } from '@kron/core'
import { compare, median, over, ratio } from '../measure.ts'
import { digits, printCost, printRatio, printTable, printTarget } from '../table.ts'

const IDENTITY = '/etc/krond.d/jobs.kron:backup'
const NOMINALS = Array.from({ length: 1_024 }, (_, i) => 1_772_323_200 + i * 3_600)

/** Constraints of several kinds that allow nearly everything: one attempt each. */
const CONSTRAINED = '@only(hours=0-23;dow=SUN-SAT;months=1-12) @avoid(date=2020-12-24)'
const REFUSED = '@only(date=1999-12-31)'

const DISTRIBUTIONS = ['uniform', 'skewEarly', 'skewLate,shape=3.3', 'normal', 'exponential']

function jobOf(modifiers: string): Job {
  const schedule = parseSchedule(`0 * * * * @tz(Europe/Paris) @win(after,2h) ${modifiers}`)
  if (!schedule.ok) throw new Error(modifiers)
  return { identity: IDENTITY, schedule: schedule.value }
}

const deciding = (name: string, modifiers: string) => {
  const job = jobOf(modifiers)
  return over(name, NOMINALS, nominal => decide(job, nominal))
}

const platformHash = (text: string): string => hash('sha256', text, 'hex')

export function measureDecisions(): void {
  // Made flat, as a text that comes from elsewhere is.
  const materials = NOMINALS.map(nominal => Buffer.from(`${IDENTITY}\n${printInstant(nominal)}\n`).toString())
  const plain = jobOf('')
  const timings = compare([
    over('crypto.hash, hex', materials, platformHash),
    over("uniform, with the platform's hash", NOMINALS, nominal => decide(plain, nominal, platformHash)),
    ...DISTRIBUTIONS.map(each => deciding(each, `@dist(${each})`)),
    ...DISTRIBUTIONS.map(each => deciding(`${each}, constrained`, `@dist(${each}) ${CONSTRAINED}`)),
    ...DISTRIBUTIONS.map(each => deciding(`${each}, 64 refused`, `@dist(${each}) ${REFUSED}`)),
  ])
  const [bare] = timings
  console.log("\ndecide, beside the platform's SHA-256 of the same text alone")
  printTable(
    ['', 'cost', 'a second', 'times the hash'],
    timings.map(each => [
      each.name,
      printCost(each),
      digits(1e9 / median(each.rounds)),
      printRatio(ratio(bare!, each)),
    ]),
  )
  const of = (name: string) => timings.find(each => each.name === name)!
  printTarget('decide, uniform', ratio(bare!, of('uniform')), 'at most', 1.6, '×')
  printTarget('decide, uniform, constrained', ratio(bare!, of('uniform, constrained')), 'at most', 2, '×')
  printTarget(
    '64 refused attempts, uniform',
    median(of('uniform, 64 refused').rounds) / 1e3,
    'at most',
    10,
    ' µs',
  )
}
