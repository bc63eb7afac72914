import assert from 'node:assert/strict'
import { test } from 'node:test'
import { printInstant } from '@kron/core'
import type { CommandContext } from './command-context.ts'
import { instantOption } from './option-values.ts'

const context = { now: () => Date.parse('2026-03-01T00:00:00Z') / 1_000 } as CommandContext
const read = (text: string | undefined): string => printInstant(instantOption('until', text, context))

test('a time may leave out its seconds, its zone, and all but its date', () => {
  for (const [text, expected] of [
    [undefined, '2026-03-01T00:00:00Z'],
    ['2026-11-18', '2026-11-18T00:00:00Z'],
    ['2026-11-18T05:00', '2026-11-18T05:00:00Z'],
    ['2026-11-18T05:00:30', '2026-11-18T05:00:30Z'],
    ['2026-11-18T05:00Z', '2026-11-18T05:00:00Z'],
    ['2026-11-18T05:00+02:00', '2026-11-18T03:00:00Z'],
    ['2026-11-18T05:00:30-01:30', '2026-11-18T06:30:30Z'],
  ] as const)
    assert.equal(read(text), expected)
})

test('a time that does not exist or is something else is refused with the name of the option', () => {
  for (const text of [
    ...['2026-11-18T', '2026-11-18T5:00', '2026-11-18T05', '05:00', 'tomorrow', ''],
    ...['2026-02-30', '2026-11-18T24:01', '2026-11-18T05:60', '2026-11-18T05:00+25:00'],
  ])
    assert.throws(() => read(text), { name: 'Refusal', message: /^--until: / }, text)
})
