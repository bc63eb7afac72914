import { parseInstant, printInstant } from '@kron/core'
import { mustLieInside } from '../faults.ts'
import { must, type Target } from '../target.ts'

const LAST_PRINTABLE = 253_402_300_799

export const target: Target = {
  seeds: [
    '2026-03-01T02:00:00Z',
    '2026-03-01t02:00:00.123z',
    '2024-02-29T23:59:59+01:00',
    '0000-01-01T00:00:00-23:59',
    '9999-12-31T23:59:59Z',
    '1970-01-01T00:00:00+00:00',
  ],
  tokens: 'T t Z z : - + . 00 01 12 13 23 24 28 29 30 31 59 60 1969 1970 2000 2100 2200 9999 0000'.split(' '),
  longest: 48,
  run(text) {
    const read = parseInstant(text)
    if (!read.ok) return mustLieInside(text, read.faults)
    must(read.value === Math.floor(Date.parse(text.toUpperCase()) / 1_000), 'the engine of JavaScript agrees')
    if (read.value < 0 || read.value > LAST_PRINTABLE) return
    const again = parseInstant(printInstant(read.value))
    must(again.ok && again.value === read.value, 'a printed instant is the same')
  },
}
