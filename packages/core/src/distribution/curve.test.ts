import assert from 'node:assert/strict'
import { test } from 'node:test'
import { faultsOf, instant, value } from '@kron/testkit/reading'
import { MOST_STEPS, parseCurve } from './curve.ts'

test('times of day are seconds of the day, and the last step ends at midnight', () => {
  const text = '\uFEFFstart,weight\r\n# night\r\n00:00,3\r\n\r\n06:30, 0.25 \r\n22:00,0'
  assert.deepEqual(value(parseCurve(text)), {
    scale: 'day',
    starts: [0, 23_400, 79_200],
    weights: [3, 0.25, 0],
    end: 86_400,
  })
})

test('instants may have any offset and no seconds, and the last step is as long as the one before it', () => {
  const text = '2026-03-01T00:00Z,1\n2026-03-01T02:00:00+01:00,2\n2026-03-01T01:30:00Z,4'
  const start = instant('2026-03-01T00:00:00Z')
  assert.deepEqual(value(parseCurve(text)), {
    scale: 'instants',
    starts: [start, start + 3_600, start + 5_400],
    weights: [1, 2, 4],
    end: start + 7_200,
  })
})

const WRONG: readonly (readonly [text: string, message: RegExp])[] = [
  ['', /no weight above 0/],
  ['00:00,0\n12:00,0', /no weight above 0/],
  ['00:00', /expected start,weight/],
  ['00:00,1,2', /expected start,weight/],
  ['00:00,-1', /"-1" is not a weight/],
  ['00:00,1e3', /"1e3" is not a weight/],
  ['00:00,1234567890', /is not a weight/],
  ['24:00,1', /"24:00" is no start/],
  ['2026-02-30T00:00:00Z,1', /is no start/],
  ['2201-01-01T00:00:00Z,1\n2201-01-02T00:00:00Z,1', /not between 1970 and 2200/],
  ['06:00,1\n06:00,2', /not later/],
  ['06:00,1\n2026-03-01T00:00:00Z,2', /of the other kind/],
  ['2026-03-01T00:00:00Z,2', /one instant has no end/],
  [`00:00,1${' '.repeat(300)}`, /too long/],
]

for (const [text, message] of WRONG) {
  test(`a weights file ${JSON.stringify(text.slice(0, 40))} is refused with its reason`, () => {
    const [fault] = faultsOf(parseCurve(text))
    assert.match(fault!.message, message)
    assert.notEqual(fault!.hint, undefined)
  })
}

test('each mistake is found at its line, also behind a start that cannot be read', () => {
  const faults = faultsOf(parseCurve('06:00,1\nx,1\n05:00,1'))
  assert.deepEqual(
    faults.map(({ message, at, length }) => [message, at, length]),
    [
      ['"x" is no start of a step', 8, 3],
      ['"05:00" is not later than the start before it', 12, 7],
    ],
  )
})

test('a mistake of the whole file stands at its beginning', () => {
  const [fault] = faultsOf(parseCurve('00:00,0'))
  assert.deepEqual([fault!.at, fault!.length], [0, 0])
})

test('blank lines may come first', () => {
  assert.deepEqual(value(parseCurve('\n\n00:00,1\n12:00,2\n')).starts, [0, 43_200])
})

test('a line may have 200 characters, and no more of a longer one is pointed at than shows that', () => {
  assert.deepEqual(value(parseCurve('00:00,1'.padEnd(200))).weights, [1])
  const [fault] = faultsOf(parseCurve('00:00,1'.padEnd(300)))
  assert.deepEqual([fault!.message, fault!.length], ['the line is too long', 201])
  assert.match(faultsOf(parseCurve('00:00,1'.padEnd(201)))[0]!.message, /too long/)
})

test('the first and the last second that Kron knows may begin a step', () => {
  const text = '1970-01-01T00:00:00Z,1\n2200-12-31T23:59:59Z,2'
  assert.deepEqual(value(parseCurve(text)).starts, [0, 7_289_654_399])
})

test('the limit of steps is 100,000', () => assert.equal(MOST_STEPS, 100_000))

test('a file may have as many steps as the limit', () => {
  const steps = (count: number): string =>
    Array.from({ length: count }, (_, i) => `${new Date(i * 60_000).toISOString()},1`).join('\n')
  assert.equal(value(parseCurve(steps(MOST_STEPS))).starts.length, MOST_STEPS)
  assert.match(faultsOf(parseCurve(steps(MOST_STEPS + 1)))[0]!.message, /more than 100000 steps/)
})

test('a file with very many mistakes is given up after 20', () => {
  assert.equal(faultsOf(parseCurve('x\n'.repeat(1_000_000))).length, 20)
})
