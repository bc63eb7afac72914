import { existsSync } from 'node:fs'
import { findZone, next, parseCron } from '@kron/core'
import { HostZones, ZONEINFO } from '@kron/host'
import { compare, over, ratio } from '../measure.ts'
import { printCost, printTable, printTarget } from '../table.ts'
import { EXPRESSIONS, SECONDS, ZONES } from './inputs.ts'

/** `next` with tables from the host's files beside tables that were learnt from the runtime. */
export function measureZones(): void {
  if (!existsSync(ZONEINFO)) return console.log(`\nzones: there is no ${ZONEINFO}`)
  const host = new HostZones(ZONEINFO)
  const cells: string[][] = []
  let worst: ReturnType<typeof ratio> | undefined
  for (const name of ZONES.filter(each => each !== 'UTC')) {
    for (const expression of EXPRESSIONS) {
      const cron = parseCron(expression, 'kron')
      if (!cron.ok) throw new Error(expression)
      const of = (label: string, zone: NonNullable<ReturnType<typeof findZone>>) =>
        over(label, SECONDS, from => next(cron.value, zone, from)!)
      const [learnt, read] = compare([of('learnt', findZone(name)!), of('read', host.find(name)!)])
      const each = ratio(learnt!, read!)
      if (worst === undefined || each.median > worst.median) worst = each
      cells.push([`${expression}  ${name}`, printCost(learnt!), printCost(read!)])
    }
  }
  console.log(`\nnext with zones learnt from ICU, and with zones read from ${host.source()}`)
  printTable(['', 'learnt', 'read'], cells)
  if (worst !== undefined)
    printTarget('next, zones read beside zones learnt, most', worst, 'at most', 1.1, '×')
}
