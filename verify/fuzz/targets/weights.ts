import { decide, parseCurve, parseScheduleHead, recordOf, withCurve } from '@kron/core'
import { must, type Target } from '../target.ts'

const { schedule } = parseScheduleHead('0 2 * * * @tz(Europe/Paris) @win(around,30h) @dist(weights,file=x)')
const NOMINAL = Date.parse('2026-03-29T01:00:00Z') / 1_000

export const target: Target = {
  seeds: [
    'start,weight\n00:00,4\n05:30,1\n07:00,0\n21:15,2.5\n',
    '2026-03-28T00:00:00Z,1\n2026-03-29T00:00:00+01:00,2\n2026-03-31T00:00Z,0.5\n',
    '# comment\r\n 03:00 , 1 \r\n\r\n23:59,999999999\r\n',
    '\uFEFF00:00,0\n12:00,0.000000001',
  ],
  tokens:
    'start,weight 00:00 23:59 24:00 2026-03-28T00:00:00Z 2026-03-30T00:00Z 1970-01-01T00:00:00Z 2200-12-31T23:59:59Z , \n \r\n # 0 1 0.5 999999999 0.000000001 -1 1e9 +01:00'.split(
      / /,
    ),
  longest: 250,
  run(text) {
    const read = parseCurve(text)
    if (!read.ok)
      return must(
        read.faults.every(each => each.hint !== undefined),
        'a refusal gives advice',
      )
    const { starts, weights, end, scale } = read.value
    must(starts.length === weights.length && starts.length > 0, 'every start has a weight')
    must(
      starts.every((start, i) => start >= 0 && start < (starts[i + 1] ?? end)),
      'starts ascend',
    )
    must(
      weights.every(weight => weight >= 0 && Number.isFinite(weight)),
      'weights are numbers',
    )
    const curve = { digest: '', steps: read.value }
    const decision = decide({ identity: text, schedule: withCurve(schedule!, () => curve) }, NOMINAL)
    must(decision.chosen !== null, 'without constraints a second is chosen')
    const record = recordOf(decision)
    if (record.weightsFallback !== undefined || scale === 'day') return
    const step = starts.findLastIndex(start => start <= decision.chosen!)
    must(weights[step]! > 0, 'a second without weight is never chosen')
  },
}
