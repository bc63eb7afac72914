import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type DecisionRecord, decide, parseSchedule, recordOf } from '@kron/core'
import { hostZones } from '@kron/host'
import fc from 'fast-check'
import { verifyText } from '../view/verify.ts'
import { readLogLine } from './log-line.ts'
import { emptyVerification } from './verification.ts'
import { verifyLine } from './verify-log.ts'

function recordFor(head: string, identity = '/etc/krond.d/a b.kron:x'): DecisionRecord {
  const read = parseSchedule(head, undefined, hostZones().find)
  assert.ok(read.ok)
  return recordOf(decide({ identity, schedule: read.value }, 1_772_323_200))
}

const fieldsOf = (record: DecisionRecord): [string, unknown][] =>
  Object.entries(record).map(([key, value]) => [key.replace(/[A-Z]/g, c => `_${c.toLowerCase()}`), value])

function textLine(record: DecisionRecord): string {
  const pairs = fieldsOf(record).map(([key, value]) => {
    const text = typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value ?? '')
    return `${key}=${text === '' || /[\s"=]/.test(text) ? JSON.stringify(text) : text}`
  })
  return `2026-03-01T00:00:00.000000000Z level=info component=scheduler event=decision ${pairs.join(' ')}`
}
const jsonLine = (record: DecisionRecord): string =>
  JSON.stringify({ time: 'x', level: 'info', event: 'decision', ...Object.fromEntries(fieldsOf(record)) })

const RECORDS = [
  recordFor(
    '0 2 * * * @tz(Europe/Paris) @win(after,2h) @dist(normal,sigma=20m) @seed(daily,salt="a = \\" b")',
  ),
  recordFor('0 2 * * * @only(hours=3) @avoid(dow=MON)'),
  recordFor('0 0 1 * * @win(around,7h0m0.3s) @dist(exponential,lambda=2.5,dir=late)'),
]

test('a decision is read from either format, whatever stands before it', () => {
  for (const record of RECORDS) {
    for (const line of [textLine(record), jsonLine(record)]) {
      assert.deepEqual(readLogLine(line), { kind: 'decision', record })
      assert.deepEqual(readLogLine(`Mar  1 00:00:00 host krond[7]: ${line}`), { kind: 'decision', record })
    }
  }
})

test('lines without a decision are passed over, incomplete ones are not', () => {
  assert.deepEqual(readLogLine('level=info event=started identity=decision'), { kind: 'other' })
  assert.deepEqual(readLogLine(''), { kind: 'other' })
  assert.equal(readLogLine('event=decision identity=x').kind, 'unreadable')
  assert.equal(readLogLine(textLine(RECORDS[0]!).replace(/params="[^ ]*"/, 'params=oops')).kind, 'unreadable')
})

test('what was recorded rightly matches, and a second off does not', () => {
  const found = emptyVerification()
  for (const record of RECORDS) verifyLine(textLine(record), 'log', found)
  verifyLine(jsonLine({ ...RECORDS[0]!, chosenTime: RECORDS[0]!.windowStart }), 'log:4', found)
  verifyLine(jsonLine({ ...RECORDS[0]!, timezone: 'Mars/Phobos' }), 'log:5', found)
  assert.equal(found.checked, 4)
  assert.deepEqual(
    found.mismatches.map(each => [each.where, each.differences.map(({ field }) => field)]),
    [['log:4', ['chosenTime']]],
  )
  assert.equal(found.unreadable.length, 1)
  assert.match(
    found.unreadable[0]!.why,
    /^unknown time zone "Mars\/Phobos" \(it was made with \w+ \S+; this host has \w+ \S+\)$/,
  )
})

test('other zone data alone are no mismatch; beside one they are named', () => {
  const found = emptyVerification()
  const record = { ...RECORDS[0]!, zoneData: 'tzdata 1999a' }
  verifyLine(textLine(record), 'log:1', found)
  assert.equal(found.mismatches.length, 0)
  verifyLine(textLine({ ...record, chosenTime: record.windowStart }), 'log:2', found)
  const [mismatch] = found.mismatches
  assert.deepEqual(
    mismatch!.differences.map(({ field, recorded }) => [field, recorded]),
    [
      ['chosenTime', record.windowStart],
      ['zoneData', 'tzdata 1999a'],
    ],
  )
  const shown = verifyText(found, { width: 100, colour: false, unicode: false, progress: false }).join('\n')
  assert.match(shown, /The zone data are not the same/)
})

test('no line makes it throw', () => {
  const damaged = fc.tuple(
    fc.constantFrom(...RECORDS.map(textLine), ...RECORDS.map(jsonLine)),
    fc.nat(),
    fc.nat(30),
    fc.string(),
  )
  fc.assert(
    fc.property(damaged, ([line, at, length, insert]) => {
      const place = at % line.length
      verifyLine(line.slice(0, place) + insert + line.slice(place + length), 'log', emptyVerification())
    }),
    { numRuns: 1_000 },
  )
})
