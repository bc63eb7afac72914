import { findZone, localTime, next, parseCron } from '@kron/core'
import { compare, median, over, ratio } from '../measure.ts'
import { loadPeers } from '../peers.ts'
import { printCost, printRatio, printTable, printTarget, printTime } from '../table.ts'
import { SECONDS } from './inputs.ts'

export async function measureCalendar(): Promise<void> {
  const { DateTime } = await loadPeers()
  const zone = findZone('Europe/Paris')!
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: 'Europe/Paris',
    dateStyle: 'short',
    timeStyle: 'medium',
  })
  const timings = compare([
    over('kron', SECONDS, at => localTime(zone, at)),
    over('Intl format', SECONDS, at => format.format(at * 1_000)),
    over('Intl formatToParts', SECONDS, at => format.formatToParts(at * 1_000)),
    over('luxon', SECONDS, at => {
      const { hour, minute } = DateTime.fromMillis(at * 1_000, { zone: 'Europe/Paris' })
      return hour * 60 + minute
    }),
  ])
  console.log('\nlocal fields of an instant, Europe/Paris')
  printTable(
    ['', 'cost', 'times kron'],
    timings.map(each => [each.name, printCost(each), printRatio(ratio(timings[0]!, each))]),
  )
  printTarget('local fields', median(timings[0]!.rounds), 'at most', 60, ' ns')
  measureFirstUse()
}

/** Every zone once, since what is learnt is kept: finding it, and the first occurrence in it. */
function measureFirstUse(): void {
  const cron = parseCron('30 2 * * *', 'kron')
  if (!cron.ok) return
  const costs = Intl.supportedValuesOf('timeZone')
    .filter(name => name !== 'Europe/Paris')
    .map(name => {
      const start = process.cpuUsage()
      const zone = findZone(name)
      if (zone !== undefined) next(cron.value, zone, SECONDS[0]!)
      const { user, system } = process.cpuUsage(start)
      return (user + system) * 1e3
    })
  console.log(
    `\nfirst use of a zone, ${costs.length} zones: ${printTime(median(costs))}, at most ${printTime(Math.max(...costs))}`,
  )
  printTarget('first use of a zone', median(costs) / 1e6, 'at most', 1, ' ms')
}
