import { findZone, next, parseCron } from '@kron/core'
import { compare, over, type Ratio, ratio, type Timing } from '../measure.ts'
import { loadPeers, type Peers } from '../peers.ts'
import { printCost, printRatio, printTable, printTarget } from '../table.ts'
import { EXPRESSIONS, LEAP_DAY, LEAP_DAYS, SECONDS, SUCCESSIVE, ZONES } from './inputs.ts'

type NextOf = (from: number) => number

/** The next occurrence by each library, in milliseconds, for one expression in one zone. */
function contenders(peers: Peers, expression: string, zoneName: string): [name: string, next: NextOf][] {
  const cron = parseCron(expression, 'kron')
  if (!cron.ok) throw new Error(expression)
  const zone = findZone(zoneName)!
  const croner = new peers.Cron(expression, { timezone: zoneName, paused: true })
  const parser = peers.CronExpressionParser.parse(expression, { tz: zoneName })
  const cronos = peers.CronosExpression.parse(expression, { timezone: zoneName })
  const schedule = peers.parseCronExpression(expression)
  return [
    ['kron', from => next(cron.value, zone, from / 1_000)! * 1_000],
    ['croner', from => croner.nextRun(new Date(from))!.getTime()],
    [
      'cron-parser',
      from => {
        parser.reset(new Date(from))
        return parser.next().getTime()
      },
    ],
    ['cronosjs', from => cronos.nextDate(new Date(from))!.getTime()],
    ['cron-schedule', from => schedule.getNextDate(new Date(from)).getTime()],
  ]
}

const random = (name: string, nextOf: NextOf) => over(name, SECONDS, from => nextOf(from * 1_000))

/** A chain of occurrences, begun anew after its last. */
function successive(name: string, nextOf: NextOf, length: number) {
  const from = SECONDS[0]! * 1_000
  return {
    name,
    run(times: number) {
      let at = from
      for (let i = 0; i < times; i++) at = i % length === 0 ? nextOf(from) : nextOf(at)
      return at
    },
  }
}

interface Row {
  readonly expression: string
  readonly timings: readonly Timing[]
}

export async function measureNext(): Promise<void> {
  const peers = await loadPeers()
  for (const [title, make] of [
    ['next from a random instant', (name: string, nextOf: NextOf) => random(name, nextOf)],
    [
      'next, successive occurrences',
      (name: string, nextOf: NextOf, expression: string) =>
        successive(name, nextOf, expression === LEAP_DAY ? LEAP_DAYS : SUCCESSIVE),
    ],
  ] as const) {
    const rows: Row[] = []
    const cells: string[][] = []
    for (const zone of ZONES) {
      // cron-schedule knows no zone but the process's own.
      process.env['TZ'] = zone
      for (const expression of EXPRESSIONS) {
        const timings = compare(
          contenders(peers, expression, zone).map(([name, nextOf]) => make(name, nextOf, expression)),
        )
        rows.push({ expression, timings })
        const [kron, ...others] = timings as [Timing, ...Timing[]]
        cells.push([
          `${expression}  ${zone}`,
          printCost(kron),
          ...others.map(each => printRatio(ratio(kron, each))),
        ])
      }
    }
    process.env['TZ'] = 'UTC'
    console.log(`\n${title}: cost of kron, and how many times that the others cost`)
    printTable(['', 'kron', 'croner', 'cron-parser', 'cronosjs', 'cron-schedule'], cells)
    printTargets(title, rows)
  }
}

function printTargets(title: string, rows: readonly Row[]): void {
  const least = (peer: number, of: readonly Row[]): Ratio =>
    of
      .map(({ timings }) => ratio(timings[0]!, timings[peer]!))
      .reduce((worst, each) => (each.median < worst.median ? each : worst))
  const usual = rows.filter(row => row.expression !== LEAP_DAY)
  const rare = rows.filter(row => row.expression === LEAP_DAY)
  printTarget(`${title}, croner, least`, least(1, rows), 'at least', 300, '×')
  printTarget(`${title}, cron-parser, least`, least(2, rows), 'at least', 150, '×')
  printTarget(`${title}, cronosjs, least`, least(3, rows), 'at least', 150, '×')
  printTarget(`${title}, cron-schedule, least`, least(4, usual), 'at least', 4, '×')
  printTarget(`${title}, cron-schedule, ${LEAP_DAY}, least`, least(4, rare), 'at least', 1.3, '×')
}
