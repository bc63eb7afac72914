import assert from 'node:assert/strict'
import { test } from 'node:test'
import { value } from '@kron/testkit/reading'
import { type Cron, matchesTime } from './cron.ts'
import { parseCron } from './parse.ts'
import { NONE, timeFrom, timeUpTo } from './time.ts'

const TIMES = ['* *', '0 0', '30 *', '29,30 5', '0-29 7-9', '30-59 0,23', '59 23', '*/7 */5', '1,31 12']

/** Looks at one minute after the other. */
function search(cron: Cron, minute: number, step: 1 | -1): number {
  for (let at = minute; at >= 0 && at < 1_440; at += step) {
    if (matchesTime(cron, Math.floor(at / 60), at % 60)) return at
  }
  return NONE
}

test('the nearest matching minute of a day is the one that looking minute by minute finds', () => {
  for (const fields of TIMES) {
    const cron = value(parseCron(`${fields} * * *`, 'kron'))
    for (let minute = 0; minute < 1_440; minute++) {
      assert.equal(timeFrom(cron, minute), search(cron, minute, 1), `${fields} from ${minute}`)
      assert.equal(timeUpTo(cron, minute), search(cron, minute, -1), `${fields} up to ${minute}`)
    }
  }
})
