/** Mistakes that newcomers made in a trial, each with the answer that helped. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseCommandLine } from '@kron/cli'
import { parseInstant } from '@kron/core'
import { parseJobFile } from '@kron/host'
import { dstGap } from './lint/dst-gap.ts'
import { KRONTAB } from './program/program.ts'

const LINES: readonly (readonly [line: string, message: string, hint: string])[] = [
  [
    "0 2 * * * name=a command='echo hello'",
    `unexpected "hello'"`,
    'only double quotes group words: command="echo hello"',
  ],
  ['0 2 * * * name=a cmd="/bin/true"', 'unknown key "cmd"', 'did you mean command?'],
  [
    '0 2 * * * @window(after,1h) name=a command=/bin/true',
    'unknown modifier "@window"',
    'did you mean @win, as in @win(after,2h)?',
  ],
  [
    '0 2 * * * @win(after,1h) @dist(gaussian) name=a command=/bin/true',
    'unknown distribution "gaussian"',
    'write normal',
  ],
  [
    '0 2 * * * @tz(America/NewYork) name=a command=/bin/true',
    'unknown time zone "America/NewYork"',
    'did you mean America/New_York?',
  ],
  [
    '0 2 * * * name=a tz=Europe/Paris command=/bin/true',
    'unknown key "tz"',
    'it belongs to the schedule, before the keys: @tz(Europe/Paris)',
  ],
]

for (const [line, message, hint] of LINES)
  test(`${line} is answered with one mistake and the way out`, () => {
    const { faults } = parseJobFile(`${line}\n`, '/etc/krond.d/a.kron')
    assert.deepEqual(
      faults.map(each => [each.message, each.hint]),
      [[message, hint]],
    )
  })

test("crontab's options are answered with the command of krontab", () => {
  for (const [option, command] of [
    ['-e', 'krontab edit'],
    ['-l', 'krontab list'],
    ['-r', 'krontab remove'],
  ] as const) {
    const read = parseCommandLine(KRONTAB, [option])
    assert.ok(read.kind === 'mistake' && read.hint.startsWith(command), JSON.stringify(read))
  }
})

test('help knows topics, by their plural or singular, and names them all for a word it does not know', () => {
  for (const { name } of KRONTAB.topics!)
    assert.equal(parseCommandLine(KRONTAB, ['help', name]).kind, 'topic', name)
  assert.equal(parseCommandLine(KRONTAB, ['help', 'window']).kind, 'topic')
  const read = parseCommandLine(KRONTAB, ['help', 'frobnication'])
  assert.ok(read.kind === 'mistake' && read.hint.includes('distributions'), JSON.stringify(read))
})

test('a warning about the clocks is about the next change, not about one that is over', () => {
  const [entry] = parseJobFile(
    '30 2 * * * @tz(Europe/Paris) name=a command=/bin/true\n',
    '/etc/krond.d/a.kron',
  ).entries
  const messageAt = (time: string): string | undefined => {
    const at = parseInstant(time)
    return dstGap(entry!.schedule, at.ok ? at.value : 0)?.message
  }
  assert.match(messageAt('2026-02-01T00:00:00Z')!, /2026-03-29/)
  assert.match(messageAt('2026-11-17T00:00:00Z')!, /2027-03-28/)
})
