import { decide, parseSchedule, recompute, recordOf } from '@kron/core'
import { readLogLine } from '../../../packages/krontab/src/verify/log-line.ts'
import { mustLieInside } from '../faults.ts'
import { must, type Target } from '../target.ts'

const schedule = parseSchedule('0 2 * * * @win(after,2h) @dist(normal,sigma=10m) @only(dow=MON-FRI)')
must(schedule.ok, 'the seed is a schedule')
const record = recordOf(decide({ identity: 'a', schedule: schedule.value }, 1_772_416_800))
const snake = (key: string): string => key.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)
const fields: Record<string, unknown> = Object.fromEntries(
  Object.entries({ event: 'decision', ...record }).map(([key, value]) => [snake(key), value]),
)
const asText = Object.entries(fields)
  .map(
    ([key, value]) => `${key}=${JSON.stringify(typeof value === 'object' ? JSON.stringify(value) : value)}`,
  )
  .join(' ')

/** krond's log, as `krontab verify` reads it, and the decisions that are made again from it. */
export const target: Target = {
  seeds: [JSON.stringify(fields), `Mar 1 host krond: ${JSON.stringify(fields)}`, asText, 'event=decision'],
  tokens: [
    ...Object.keys(fields).flatMap(key => [`"${key}":`, `${key}=`]),
    ...'decision null {} [] "" "x" , : { } \\ " 0 -1 sigma window/6 stable daily UTC'.split(' '),
  ],
  longest: 900,
  run(text) {
    const line = readLogLine(text)
    if (line.kind !== 'decision') return
    const again = recompute(line.record)
    if (!again.ok) must(again.faults.length > 0, 'a refusal has a reason')
    if (!again.ok) for (const { message } of again.faults) mustLieInside(message, [{ ...NOWHERE, message }])
  },
}

const NOWHERE = { category: 'ConfigurationError', at: 0, length: 0 } as const
