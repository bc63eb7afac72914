import { parseDuration, printDuration } from '@kron/core'
import { readRetryDelay } from '../../../packages/scheduler/src/registration/retry-delay.ts'
import { mustLieInside } from '../faults.ts'
import { must, type Target } from '../target.ts'

export const target: Target = {
  seeds: [
    '0',
    '90s',
    '1h30m',
    '1.5h',
    '.5s',
    '250ms',
    '1us',
    '1µs',
    '744h',
    '2501h',
    'PT5M',
    'P1DT2H3M4.5S',
    '-5m',
  ],
  tokens: 'ns us µs μs ms s m h d w 1 60 24 . , + - P T D W H M S Y'.split(' '),
  longest: 40,
  run(text) {
    const delay = readRetryDelay(text)
    must(delay === undefined || !Number.isNaN(delay), 'a retry delay that is read is a number')
    const read = parseDuration(text)
    if (!read.ok) return mustLieInside(text, read.faults)
    must(Number.isSafeInteger(read.value) && read.value >= 0, 'a duration is a whole number of nanoseconds')
    const again = parseDuration(printDuration(read.value))
    must(again.ok && again.value === read.value, 'a printed duration is the same')
  },
}
