import { parseCron, parseSchedule } from '@kron/core'
import { compare, over, ratio, type Timing } from '../measure.ts'
import { loadPeers } from '../peers.ts'
import { printCost, printRatio, printTable, printTarget } from '../table.ts'
import { EXPRESSIONS } from './inputs.ts'

const MODIFIERS =
  '@tz(Europe/Paris) @win(after,2h) @dist(normal,sigma=20m) @only(hours=9-17) @policy(deadline=10m)'

export async function measureParsing(): Promise<void> {
  const peers = await loadPeers()
  const worst = [Infinity, Infinity, Infinity]
  const rows = EXPRESSIONS.map(expression => {
    const [kron, ...others] = compare([
      over('kron', [expression], text => parseCron(text, 'kron')),
      over('croner', [expression], text => new peers.Cron(text, { paused: true })),
      over('cron-parser', [expression], text => peers.CronExpressionParser.parse(text, {})),
      over('cron-schedule', [expression], text => peers.parseCronExpression(text)),
    ]) as [Timing, ...Timing[]]
    for (const [i, each] of others.entries()) worst[i] = Math.min(worst[i]!, ratio(kron, each).median)
    return [expression, printCost(kron), ...others.map(each => printRatio(ratio(kron, each)))]
  })
  console.log('\nparse: cost of kron, and how many times that the others cost')
  printTable(['', 'kron', 'croner', 'cron-parser', 'cron-schedule'], rows)
  const [schedule] = compare([over('schedule', [`0 2 * * * ${MODIFIERS}`], text => parseSchedule(text))])
  console.log(`a schedule with five modifiers: ${printCost(schedule!)}`)
  printTarget('parse, croner, least', worst[0]!, 'at least', 1, '×')
  printTarget('parse, cron-parser, least', worst[1]!, 'at least', 1, '×')
  printTarget('parse, cron-schedule, least', worst[2]!, 'at least', 2, '×')
}
